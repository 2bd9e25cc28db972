// Where an engine is in its iteration: what a snapshot needs besides the arrays of the state.
#pragma once

#include <type_traits>

#include "gaps.h"

namespace boolearn {

// Doubles throughout, because a snapshot holds the whole as one array of them.
struct Status {
    // What made the sums that the next concur() takes.
    enum Pending { kNothing, kOpened, kDivided, kReplaced };

    double open = 0;  // 1 once the point has been projected to A
    double pending = kNothing;
    Relaxation metric;  // what the gaps of the last iteration still have to do to the metric
    Gaps gap = Gaps::unknown();

    static constexpr std::size_t kNumbers = 8;
};
static_assert(sizeof(Status) == Status::kNumbers * sizeof(double) && std::is_standard_layout_v<Status>);

}  // namespace boolearn
