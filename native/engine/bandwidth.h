// How fast this machine reads and writes memory: what an engine that only moved its variables would need.
#pragma once

#include <cstddef>

namespace boolearn {

// Seconds of one pass that reads, changes and writes back `bytes` bytes, shared by the threads; the mean of many.
double seconds_of_pass(std::size_t bytes, int threads, int passes);

}  // namespace boolearn
