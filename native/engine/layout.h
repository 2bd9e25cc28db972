// Where the variables of an item are.
//
// Items are dealt out in groups of one cache line, groups in tiles, tiles in blocks. A tile is what the
// sweep works on at once; a block is what a thread claims and what has sums of its own. All three depend
// on the numbers of items alone: the order of additions, and with it every bit of the result, is the
// same for any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel.h"
#include "network.h"

namespace boolearn {

// Four groups share the cost of adding up the lanes of the weight sums; more would not fit the first cache.
constexpr int kGroupsPerTile = 4;
constexpr int kFewestTiles = 2;
constexpr int kMostBlocks = 64;

struct Range {
    std::int64_t first, last;
    std::int64_t size() const { return last - first; }
};

// Part k of n of a range that begins at 0, as even as can be.
inline Range part(std::int64_t whole, std::int64_t n, std::int64_t k) { return {whole * k / n, whole * (k + 1) / n}; }
// Which part that is for a member of the range.
inline std::int64_t part_with(std::int64_t whole, std::int64_t n, std::int64_t member) {
    return ((member + 1) * n - 1) / whole;
}

class Layout {
  public:
    Layout(std::int64_t items, int lanes)
        : items(items), lanes(lanes), groups((items + lanes - 1) / lanes),
          tiles(std::max((groups + kGroupsPerTile - 1) / kGroupsPerTile, std::min<std::int64_t>(groups, kFewestTiles))),
          blocks(std::min<std::int64_t>(tiles, kMostBlocks)) {}

    const std::int64_t items;
    const int lanes;
    const std::int64_t groups, tiles, blocks;

    Range groups_of_tile(std::int64_t tile) const { return part(groups, tiles, tile); }
    Range tiles_of_block(std::int64_t block) const { return part(tiles, blocks, block); }
    std::int64_t tile_of_group(std::int64_t group) const { return part_with(groups, tiles, group); }
    std::int64_t block_of_group(std::int64_t group) const { return part_with(tiles, blocks, tile_of_group(group)); }

    // Place of (group, row) in an array of lines [group][row][lane].
    std::int64_t line(std::int64_t group, std::int64_t row, std::int64_t rows) const {
        return (group * rows + row) * lanes;
    }

    // Place of s of an edge; d is one line further. Edges of a neuron are kept together for all groups of a tile.
    std::int64_t edge(const Network& net, std::int64_t tile, std::int64_t group, int neuron, std::int64_t e) const {
        const Range g = groups_of_tile(tile);
        const std::int64_t first = net.start[neuron], m = net.start[neuron + 1] - first;
        return (g.first * net.edges() + first * g.size() + m * (group - g.first) + (e - first)) * 2 * lanes;
    }
};

}  // namespace boolearn
