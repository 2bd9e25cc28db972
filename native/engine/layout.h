// Where the variables of an item are.
//
// Items are dealt out in groups of one cache line, groups in tiles, tiles in blocks. A tile is what the
// sweep works on at once; a block is what a thread claims and what has sums of its own. All three depend
// on the numbers of items alone: the order of additions, and with it every bit of the result, is the
// same for any number of threads. It is also the same for any number of engines that share the items, each with
// some blocks of the whole.
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

// How all items are dealt out.
struct Deal {
    Deal(std::int64_t items, int lanes)
        : items(items), lanes(lanes), groups((items + lanes - 1) / lanes),
          tiles(std::max((groups + kGroupsPerTile - 1) / kGroupsPerTile, std::min<std::int64_t>(groups, kFewestTiles))),
          blocks(std::min<std::int64_t>(tiles, kMostBlocks)) {}

    std::int64_t items;
    int lanes;
    std::int64_t groups, tiles, blocks;

    std::int64_t first_item(std::int64_t tile) const {
        return std::min(items, part(groups, tiles, tile).first * lanes);
    }
    // The tiles of one of several engines. Whole blocks, as long as there are enough: then the sums of the blocks,
    // added in their order, are the same bits for any number of engines. An engine may be left without any.
    Range share(std::int64_t engines, std::int64_t engine) const {
        if (!keeps_blocks(engines)) return part(tiles, engines, engine);
        const Range mine = part(blocks, engines, engine);
        return {part(tiles, blocks, mine.first).first, part(tiles, blocks, mine.last).first};
    }
    bool keeps_blocks(std::int64_t engines) const { return engines <= blocks || blocks < kMostBlocks; }
};

// Where the items of one engine are: all of them, or those of some tiles. Groups, tiles and blocks count from its own
// first one.
class Layout {
  public:
    Layout(const Deal& all, Range my_tiles, bool keeps_blocks)
        : items(all.first_item(my_tiles.last) - all.first_item(my_tiles.first)), lanes(all.lanes),
          groups((items + lanes - 1) / lanes), tiles(my_tiles.size()),
          blocks(keeps_blocks ? blocks_before(all, my_tiles.last) - blocks_before(all, my_tiles.first)
                              : std::min<std::int64_t>(tiles, kMostBlocks)),
          first_item(all.first_item(my_tiles.first)), all_groups_(all.groups), all_tiles_(all.tiles),
          first_tile_(my_tiles.first), first_group_(part(all.groups, all.tiles, my_tiles.first).first),
          dealt_tiles_(keeps_blocks ? all.tiles : tiles), dealt_blocks_(keeps_blocks ? all.blocks : blocks),
          skipped_tiles_(keeps_blocks ? first_tile_ : 0),
          skipped_blocks_(keeps_blocks ? blocks_before(all, first_tile_) : 0) {}

    const std::int64_t items;
    const int lanes;
    const std::int64_t groups, tiles, blocks;
    const std::int64_t first_item;  // its number among all items

    Range groups_of_tile(std::int64_t tile) const {
        return moved(part(all_groups_, all_tiles_, tile + first_tile_), -first_group_);
    }
    Range tiles_of_block(std::int64_t block) const {
        return moved(part(dealt_tiles_, dealt_blocks_, block + skipped_blocks_), -skipped_tiles_);
    }
    std::int64_t tile_of_group(std::int64_t group) const {
        return part_with(all_groups_, all_tiles_, group + first_group_) - first_tile_;
    }
    std::int64_t block_of_group(std::int64_t group) const {
        return part_with(dealt_tiles_, dealt_blocks_, tile_of_group(group) + skipped_tiles_) - skipped_blocks_;
    }

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

  private:
    static Range moved(Range r, std::int64_t by) { return {r.first + by, r.last + by}; }
    static std::int64_t blocks_before(const Deal& all, std::int64_t tile) {
        return tile < all.tiles ? part_with(all.tiles, all.blocks, tile) : all.blocks;
    }

    const std::int64_t all_groups_, all_tiles_, first_tile_, first_group_;
    // Blocks are dealt among all tiles, or among this engine's own.
    const std::int64_t dealt_tiles_, dealt_blocks_, skipped_tiles_, skipped_blocks_;
};

}  // namespace boolearn
