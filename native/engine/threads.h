// A small pool of threads that stay awake between the steps of an iteration.
//
// One iteration of a small problem takes microseconds: threads that meet twice in it must not go through
// the kernel each time. They spin for a short while, then sleep, so that a crowded machine is left to others.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace boolearn {

// Cores this process may use; BOOLEARN_THREADS sets a smaller or larger number.
int available_cores();

// Where n threads wait for each other.
class Barrier {
  public:
    explicit Barrier(int threads) : threads_(threads) {}
    void wait();

  private:
    const int threads_;
    std::atomic<int> waiting_{0};
    std::atomic<unsigned> round_{0};
    std::mutex mutex_;
    std::condition_variable awake_;
};

// A share of the cores for the time of one call. Engines that run at the same time in several Python
// threads divide the cores between them instead of each taking all.
class Lease {
  public:
    // `exactly`: the caller insists on the number.
    Lease(int wanted, bool exactly);
    ~Lease();
    Lease(const Lease&) = delete;
    int threads() const { return threads_; }

  private:
    int threads_;
};

class Pool {
  public:
    Pool();
    ~Pool();
    // Calls job(0) here and job(1), ..., job(threads-1) on helpers; returns when all are done.
    void run(int threads, const std::function<void(int)>& job);

  private:
    struct Shared;
    void revive_after_fork();
    std::shared_ptr<Shared> shared_;
    std::vector<std::thread> helpers_;
    long process_;
};

}  // namespace boolearn
