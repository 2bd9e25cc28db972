// Blocks of items, claimed by the thread that had them in the last iteration and so in its cache, or by
// one that has nothing left to do.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "layout.h"

namespace boolearn {

class Claims {
  public:
    explicit Claims(int threads) : threads_(threads), next_(threads) {}
    void reset() {
        for (Counter& c : next_) c.taken.store(0, std::memory_order_relaxed);
    }
    template <class Work> void each(std::int64_t blocks, int me, Work work) {
        for (int k = 0; k < threads_; ++k) {
            const int owner = (me + k) % threads_;
            const Range mine = part(blocks, threads_, owner);
            for (;;) {
                const std::int64_t block = mine.first + next_[owner].taken.fetch_add(1, std::memory_order_relaxed);
                if (block >= mine.last) break;
                work(block);
            }
        }
    }

  private:
    struct alignas(64) Counter {
        std::atomic<std::int64_t> taken{0};
    };
    int threads_;
    std::vector<Counter> next_;
};

}  // namespace boolearn
