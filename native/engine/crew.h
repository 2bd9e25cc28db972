// How threads share an iteration. Rows of weights and blocks of items are dealt out; a row's sums are added
// and its weights normalised by the same thread, so two meetings an iteration are enough.
#pragma once

#include "blocks.h"
#include "claims.h"
#include "sums.h"
#include "threads.h"

namespace boolearn {

// The threads of one call.
template <class Real, class Kept> class Crew {
  public:
    Crew(Blocks<Real, Kept>& blocks, std::vector<Scratch<Real>>& scratch, Sums& sums, double* weights, double support,
         int threads)
        : blocks_(blocks), scratch_(scratch), sums_(sums), weights_(weights), support_(support), threads_(threads),
          barrier_(threads), claims_(threads) {
        while (static_cast<int>(scratch.size()) < threads) scratch.emplace_back(blocks.net, blocks.at.lanes);
    }

    void normalise(int me) {
        if (me == 0) claims_.reset();
        const Range rows = my_rows(me);
        for (std::int64_t r = rows.first; r < rows.last; ++r)
            normalise_row(blocks_.net, blocks_.net.rows[r], support_, sums_.weights(), weights_, blocks_.w_bar.data());
        barrier_.wait();
    }
    void sweep(int me, double beta, Relaxation metric) {
        claims_.each(blocks_.at.blocks, me,
                     [&](std::int64_t block) { blocks_.sweep(block, beta, metric, scratch_[me]); });
    }
    void reopen(int me) {
        claims_.each(blocks_.at.blocks, me, [&](std::int64_t block) {
            if (blocks_.is_stale(block)) blocks_.reopen(block, scratch_[me]);
        });
    }
    void add(int me) {
        barrier_.wait();
        const Range rows = my_rows(me);
        blocks_.add({first_weight(rows.first), first_weight(rows.last)}, sums_.weights());
    }

  private:
    // Rows follow each other; the weights of row r begin where those of row r - 1 end.
    std::int64_t first_weight(std::int64_t row) const { return row ? blocks_.net.rows[row - 1].last : 0; }
    // Rows of equal numbers of weights, nearly: those that begin in this thread's part of the weights.
    Range my_rows(int me) const {
        const auto& rows = blocks_.net.rows;
        const auto row_at = [&](std::int64_t weight) {
            return std::lower_bound(rows.begin(), rows.end(), weight,
                                    [](const Network::RowClass& row, std::int64_t w) { return row.first < w; }) -
                   rows.begin();
        };
        const Range w = part(blocks_.net.weights(), threads_, me);
        return {row_at(w.first), row_at(w.last)};
    }

    Blocks<Real, Kept>& blocks_;
    std::vector<Scratch<Real>>& scratch_;
    Sums& sums_;
    double* const weights_;
    const double support_;
    const int threads_;
    Barrier barrier_;
    Claims claims_;
};

}  // namespace boolearn
