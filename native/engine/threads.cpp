#include "threads.h"

#include <algorithm>
#include <cstdlib>

#ifdef __linux__
#include <sched.h>
#endif
#include <unistd.h>

namespace boolearn {

static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// About fifty microseconds: longer than the wait for a thread that is running, shorter than a time slice.
constexpr int kSpins = 2000;

template <class Condition> static bool spin_until(Condition holds) {
    for (int k = 0; k < kSpins; ++k) {
        if (holds()) return true;
        pause();
    }
    return false;
}

int available_cores() {
    if (const char* wanted = std::getenv("BOOLEARN_THREADS"))
        if (const int n = std::atoi(wanted); n > 0) return n;
#ifdef __linux__
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0) return std::max(1, CPU_COUNT(&mine));
#endif
    return std::max(1u, std::thread::hardware_concurrency());
}

void Barrier::wait() {
    if (threads_ == 1) return;
    const unsigned round = round_.load(std::memory_order_acquire);
    if (waiting_.fetch_add(1, std::memory_order_acq_rel) == threads_ - 1) {
        waiting_.store(0, std::memory_order_relaxed);
        {
            std::lock_guard<std::mutex> lock(mutex_);
            round_.store(round + 1, std::memory_order_release);
        }
        awake_.notify_all();
        return;
    }
    const auto passed = [&] { return round_.load(std::memory_order_acquire) != round; };
    if (spin_until(passed)) return;
    std::unique_lock<std::mutex> lock(mutex_);
    awake_.wait(lock, passed);
}

static std::atomic<int> cores_in_use{0};

Lease::Lease(int wanted, bool exactly) {
    const int cores = available_cores();
    int used = cores_in_use.load();
    do threads_ = exactly ? wanted : std::max(1, std::min(wanted, cores - used));
    while (!cores_in_use.compare_exchange_weak(used, used + threads_));
}

Lease::~Lease() { cores_in_use.fetch_sub(threads_); }

struct Pool::Shared {
    std::mutex mutex;
    std::condition_variable start, done;
    const std::function<void(int)>* job = nullptr;
    std::atomic<unsigned> generation{0};
    int threads = 0, running = 0;
    bool closing = false;

    void help(int me) {
        for (unsigned seen = 0;;) {
            const auto called = [&] { return generation.load(std::memory_order_acquire) != seen; };
            spin_until(called);
            const std::function<void(int)>* mine = nullptr;
            {
                std::unique_lock<std::mutex> lock(mutex);
                start.wait(lock, called);
                seen = generation.load(std::memory_order_relaxed);
                if (closing) return;
                if (me < threads) mine = job;
            }
            if (!mine) continue;
            (*mine)(me);
            std::lock_guard<std::mutex> lock(mutex);
            if (--running == 0) done.notify_one();
        }
    }
};

Pool::Pool() : shared_(std::make_shared<Shared>()), process_(getpid()) {}

Pool::~Pool() {
    revive_after_fork();
    {
        std::lock_guard<std::mutex> lock(shared_->mutex);
        shared_->closing = true;
        shared_->generation.fetch_add(1, std::memory_order_release);
    }
    shared_->start.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

// A forked process has the engine but none of its helpers, and no way to wake or join them.
void Pool::revive_after_fork() {
    if (process_ == getpid()) return;
    process_ = getpid();
    new std::shared_ptr<Shared>(shared_);  // a lock in it may be held by a thread that is gone: never destroyed
    shared_ = std::make_shared<Shared>();
    for (std::thread& helper : helpers_) new std::thread(std::move(helper));
    helpers_.clear();
}

void Pool::run(int threads, const std::function<void(int)>& job) {
    revive_after_fork();
    if (threads <= 1) return job(0);
    for (int me = static_cast<int>(helpers_.size()) + 1; me < threads; ++me)
        helpers_.emplace_back([shared = shared_, me] { shared->help(me); });
    {
        std::lock_guard<std::mutex> lock(shared_->mutex);
        shared_->job = &job;
        shared_->threads = threads;
        shared_->running = threads - 1;
        shared_->generation.fetch_add(1, std::memory_order_release);
    }
    shared_->start.notify_all();
    job(0);
    std::unique_lock<std::mutex> lock(shared_->mutex);
    shared_->done.wait(lock, [&] { return shared_->running == 0; });
}

}  // namespace boolearn
