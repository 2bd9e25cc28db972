#include "bit_program.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

namespace boolearn::evaluate {

// Two thirds of the smallest first-level cache in use: the rest is for rows that stream through.
constexpr std::size_t kHotBytes = 20 * 1024;
constexpr std::size_t kMostWords = 128;
// A thread costs tens of microseconds to start; this many instructions times words take about as long.
constexpr std::size_t kWorkPerThread = 1 << 19;

namespace {

struct Free {
    void operator()(void* p) const { ::operator delete(p, std::align_val_t(64)); }
};
template <class T> using Buffer = std::unique_ptr<T[], Free>;

template <class T> Buffer<T> allocate(std::size_t count) {
    T* p = static_cast<T*>(::operator new(std::max<std::size_t>(1, count) * sizeof(T), std::align_val_t(64)));
    std::memset(static_cast<void*>(p), 0, count * sizeof(T));
    return Buffer<T>(p);
}

// Calls job(thread, block) once for every block, from up to `threads` threads. Blocks are independent:
// who takes which does not change the result.
template <class Job> void share(std::size_t blocks, int threads, Job job) {
    std::atomic<std::size_t> next{0};
    const auto work = [&](int me) {
        for (std::size_t block; (block = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) job(me, block);
    };
    std::vector<std::thread> helpers;
    helpers.reserve(threads);
    try {
        for (int me = 1; me < threads; ++me) helpers.emplace_back(work, me);
    } catch (const std::system_error&) {
        // The system starts no more threads: those that run do the work.
    }
    work(0);
    for (std::thread& helper : helpers) helper.join();
}

std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

}  // namespace

BitProgram::BitProgram(std::vector<Instruction> instructions, std::int64_t slots, std::vector<std::int32_t> input_slots,
                       std::vector<std::int32_t> output_slots, const std::vector<std::uint8_t>& output_negated)
    : instructions_(std::move(instructions)), slots_(slots), input_slots_(std::move(input_slots)),
      output_slots_(std::move(output_slots)), kernels_(&choose_kernels()) {
    const auto require = [](bool holds, const char* rule) {
        if (!holds) throw std::invalid_argument(rule);
    };
    require(slots >= 0 && slots <= (1 << 30), "The 'n_slots' parameter of BitProgram must be from 0 to 2^30.");
    slots_ = std::max<std::size_t>(1, slots_);  // operands that are not there are slot 0
    const auto is_slot = [&](std::int32_t s) { return s >= 0 && static_cast<std::size_t>(s) < slots_; };
    for (const Instruction& i : instructions_) {
        require(i.op >= 0 && i.op < kOps, "The 'instructions' parameter of BitProgram holds an unknown operation.");
        require(is_slot(i.result) && is_slot(i.second) && is_slot(i.a) && is_slot(i.b) && is_slot(i.c),
                "The 'instructions' parameter of BitProgram names a slot that does not exist.");
    }
    for (std::int32_t s : input_slots_)
        require(s == -1 || is_slot(s), "The 'input_slots' parameter of BitProgram names a slot that does not exist.");
    for (std::int32_t s : output_slots_)
        require(is_slot(s), "The 'output_slots' parameter of BitProgram names a slot that does not exist.");
    require(output_negated.size() == output_slots_.size(),
            "The 'output_negated' parameter of BitProgram must have one value per output.");
    for (std::uint8_t negated : output_negated) output_flip_.push_back(negated ? ~std::uint64_t(0) : 0);
}

// Words of a slot: few enough that all slots stay in the first-level cache, and that every thread has work.
std::size_t BitProgram::block_words(std::size_t words, int threads) const {
    const std::size_t fits = kHotBytes / (8 * slots_), fair = ceil_div(words, threads);
    const std::size_t lines = std::min({fits, kMostWords, fair + kLineWords - 1}) / kLineWords;
    return kLineWords * std::max<std::size_t>(1, lines);
}

static int useful_threads(int threads, std::size_t words, std::size_t steps) {
    return std::max<int>(1, std::min<std::size_t>(threads, words * steps / kWorkPerThread));
}

void BitProgram::run_words(const std::uint64_t* in, std::uint64_t* out, std::size_t words, int threads) const {
    threads = useful_threads(threads, words, instructions_.size() + inputs() + outputs());
    const std::size_t block = block_words(words, threads);
    const Buffer<std::uint64_t> memory = allocate<std::uint64_t>(threads * slots_ * block);
    share(ceil_div(words, block), threads, [&](int me, std::size_t index) {
        std::uint64_t* const first = memory.get() + me * slots_ * block;
        const std::size_t from = index * block, count = std::min(block, words - from);
        for (std::size_t k = 0; k < inputs(); ++k)
            if (input_slots_[k] >= 0) std::memcpy(first + input_slots_[k] * block, in + k * words + from, 8 * count);
        kernels_->run(instructions_.data(), instructions_.size(), {first, block});
        for (std::size_t k = 0; k < outputs(); ++k) {
            const std::uint64_t* const slot = first + output_slots_[k] * block;
            std::uint64_t* const plane = out + k * words + from;
            for (std::size_t w = 0; w < count; ++w) plane[w] = slot[w] ^ output_flip_[k];
        }
    });
}

bool BitProgram::run_signs(const signed char* in, bool minus_allowed, signed char* out, std::size_t items,
                           int threads) const {
    struct Worker {
        Buffer<std::uint64_t> slots;
        Buffer<unsigned char> octets;
        Buffer<signed char> rows;  // for the last rows, where there is no room to overrun
        Seen seen;
    };
    const std::size_t words = ceil_div(items, kWord), columns = std::max(inputs(), outputs());
    threads = useful_threads(threads, words, instructions_.size() + 8 * (inputs() + outputs()));
    const std::size_t block = block_words(words, threads);
    std::vector<Worker> workers;
    for (int k = 0; k < threads; ++k) {
        workers.push_back({allocate<std::uint64_t>(slots_ * block),
                           allocate<unsigned char>(8 * padded(columns)),
                           allocate<signed char>(kWord * columns + kOverrun),
                           {}});
        std::memset(workers.back().seen.all, 0xFF, sizeof workers.back().seen.all);
    }
    share(ceil_div(words, block), threads, [&](int me, std::size_t index) {
        Worker& worker = workers[me];
        const Slots slots{worker.slots.get(), block};
        const std::size_t from = index * block, to = std::min(from + block, words);
        for (std::size_t word = from; word < to; ++word) {
            const std::size_t first = word * kWord, count = std::min(kWord, items - first),
                              left = (items - first) * inputs();
            const signed char* rows = in + first * inputs();
            if (count < kWord || left < kWord * inputs() + kOverrun) {
                std::memset(worker.rows.get(), 1, kWord * inputs() + kOverrun);
                if (inputs()) std::memcpy(worker.rows.get(), rows, count * inputs());
                rows = worker.rows.get();
            }
            kernels_->pack(rows, inputs(), input_slots_.data(), slots, word - from, worker.octets.get(), worker.seen);
        }
        kernels_->run(instructions_.data(), instructions_.size(), slots);
        const std::size_t end = std::min(items, to * kWord) * outputs();  // another thread's rows may begin there
        for (std::size_t word = from; word < to; ++word) {
            const std::size_t first = word * kWord, count = std::min(kWord, items - first);
            const bool room = first * outputs() + kWord * outputs() + kOverrun <= end;
            signed char* const rows = room ? out + first * outputs() : worker.rows.get();
            kernels_->unpack(rows, outputs(), output_slots_.data(), output_flip_.data(), slots, word - from,
                             worker.octets.get());
            if (!room && outputs()) std::memcpy(out + first * outputs(), rows, count * outputs());
        }
    });
    unsigned char any = 0, all = 0xFF, greatest = 0;
    for (const Worker& worker : workers)
        for (std::size_t k = 0; k < sizeof worker.seen.any; ++k) {
            any |= worker.seen.any[k];
            greatest = std::max(greatest, worker.seen.greatest[k]);
            all &= worker.seen.all[k];
        }
    const bool minus = any & 0x80, zero = !(all & 1);
    return greatest <= 2 && !(minus && (zero || !minus_allowed));
}

}  // namespace boolearn::evaluate
