#include "network.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace boolearn {

static void require(bool holds, const std::string& rule) {
    if (!holds) throw std::invalid_argument(rule);
}

Network::Network(int nodes_, int inputs_, int outputs_, std::vector<std::int64_t> start_,
                 std::vector<std::int32_t> sender_, std::vector<std::int32_t> tie, std::int64_t weights_)
    : nodes(nodes_), inputs(inputs_), outputs(outputs_), neurons(nodes_ - 1 - inputs_), start(std::move(start_)),
      sender(std::move(sender_)), outer_weights(weights_) {
    require(inputs >= 0 && outputs >= 1 && neurons >= outputs,
            "'n_nodes' must be at least 1 + n_inputs + n_outputs, with one output or more.");
    require(start.size() == static_cast<std::size_t>(neurons) + 1 && start.front() == 0,
            "'start' must have one entry per neuron and one more, the first of them 0.");
    for (int k = 0; k < neurons; ++k) {
        const std::int64_t m = start[k + 1] - start[k];
        require(m >= 1 && m < (1 << 24), "Every neuron must have at least one input. Neuron " + std::to_string(k) +
                                             " has " + std::to_string(m) + ".");
        largest_fan_in = std::max(largest_fan_in, static_cast<int>(m));
    }
    require(sender.size() == static_cast<std::size_t>(edges()), "'sender' must have one entry per edge.");
    require(tie.size() == sender.size(), "'tie' must have one entry per edge.");
    for (int k = 0; k < neurons; ++k)
        for (std::int64_t e = start[k]; e < start[k + 1]; ++e)
            require(sender[e] >= 0 && sender[e] < std::min(1 + inputs + k, nodes - outputs),
                    "Edge " + std::to_string(e) + " must come from an earlier node that is not an output. Got node " +
                        std::to_string(sender[e]) + " instead.");
    group_rows(tie);
    group_senders();
    find_runs();
}

// Along a run, a layer for instance, the sweep steps from sender to sender and looks nothing up.
void Network::find_runs() {
    for (int k = 0; k < neurons; ++k) {
        run_.push_back(static_cast<std::int32_t>(run_start_.size()));
        for (std::int64_t e = start[k]; e < start[k + 1]; ++e)
            if (e == start[k] || sender[e] != sender[e - 1] + 1) run_start_.push_back(e);
    }
    run_.push_back(static_cast<std::int32_t>(run_start_.size()));
    run_start_.push_back(edges());
}

void Network::group_rows(const std::vector<std::int32_t>& tie) {
    std::vector<std::int32_t> inner(outer_weights, -1), row_of(outer_weights, -1);
    std::vector<std::vector<std::int32_t>> sorted_rows;
    weight.resize(tie.size());
    for (int k = 0; k < neurons; ++k) {
        std::vector<std::int32_t> row(tie.begin() + start[k], tie.begin() + start[k + 1]);
        for (std::int32_t t : row)
            require(t >= 0 && t < outer_weights, "'tie' must hold numbers of weights. Got " + std::to_string(t) +
                                                     " of " + std::to_string(outer_weights) + ".");
        std::vector<std::int32_t> sorted = row;
        std::sort(sorted.begin(), sorted.end());
        std::int32_t c = row_of[row[0]];
        if (c < 0) {
            c = static_cast<std::int32_t>(rows.size());
            const std::int64_t first = weights();
            for (std::int32_t t : row) {
                if (inner[t] < 0) {
                    inner[t] = static_cast<std::int32_t>(weights());
                    row_of[t] = c;
                    outer.push_back(t);
                    share.push_back(0);
                }
                require(row_of[t] == c, "Neurons that share weights must share whole rows. Neuron " +
                                            std::to_string(k) + " shares only a part.");
                ++share[inner[t]];
            }
            for (std::int64_t k = first; k < weights(); ++k) share[k] = 1 / share[k];
            rows.push_back({first, weights(), static_cast<int>(row.size()), {}});
            sorted_rows.push_back(sorted);
        }
        require(sorted == sorted_rows[c], "Neurons that share weights must share whole rows. Neuron " +
                                              std::to_string(k) + " shares only a part.");
        rows[c].neurons.push_back(k);
        for (std::size_t e = 0; e < row.size(); ++e) weight[start[k] + e] = inner[row[e]];
    }
}

// The sum of the metric over a node's receivers is the same for all nodes with the same receivers,
// a layer for instance: it is made once per class.
void Network::group_senders() {
    std::vector<std::vector<std::int32_t>> receivers(nodes - outputs);
    for (int k = 0; k < neurons; ++k)
        for (std::int64_t e = start[k]; e < start[k + 1]; ++e) receivers[sender[e]].push_back(k);
    std::map<std::vector<std::int32_t>, std::int32_t> classes;
    audience_start_.push_back(0);
    for (const auto& list : receivers) {
        const auto [found, fresh] = classes.emplace(list, static_cast<std::int32_t>(classes.size()));
        if (fresh) {
            receiver_.insert(receiver_.end(), list.begin(), list.end());
            audience_start_.push_back(static_cast<std::int64_t>(receiver_.size()));
        }
        audience_.push_back(found->second);
    }
}

NetworkView Network::view(InputMode mode) const {
    return {nodes,
            inputs,
            outputs,
            neurons,
            start.data(),
            sender.data(),
            run_.data(),
            run_start_.data(),
            weight.data(),
            audience_.data(),
            static_cast<int>(audience_start_.size()) - 1,
            audience_start_.data(),
            receiver_.data(),
            mode};
}

}  // namespace boolearn
