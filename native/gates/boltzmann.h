// Tables of the functions of the temperature that the weights of candidates need.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace boolearn::gates {

// Below e^-36 of the best candidate's weight nothing is counted: at most some 10^-10 of the whole.
constexpr double kNothing = 36;
// Up to here products of hyperbolic cosines are far from overflow.
constexpr double kMostExponent = 300;

class Boltzmann {
  public:
    // most_favour: the largest logarithm of what else may multiply a candidate's weight.
    void set(double temperature, double most_favour) {
        if (temperature == temperature_) return;
        temperature_ = temperature;
        const std::size_t most = static_cast<std::size_t>((kNothing + most_favour) * temperature) + 1;
        exp_.resize(most + 2);
        for (std::size_t j = 0; j <= most; ++j) exp_[j] = std::exp(-static_cast<double>(j) / temperature);
        exp_[most + 1] = 0;
        cosh_.clear();
    }

    // exp(−below / 4T), for a sum that is that much below the largest; sums differ by multiples of four.
    double exp_of(std::int32_t below) const {
        return exp_[std::min(below >> 2, static_cast<std::int32_t>(exp_.size()) - 1)];
    }

    // 2 cosh(j / 4T) for j from 0 to `most`.
    const double* cosh_up_to(std::size_t most) {
        const double scale = 1 / (4 * temperature_);
        for (std::size_t j = cosh_.size(); j <= most; ++j)
            cosh_.push_back(2 * std::cosh(std::min(static_cast<double>(j) * scale, 2 * kMostExponent)));
        return cosh_.data();
    }

  private:
    double temperature_ = -1;
    std::vector<double> exp_, cosh_;
};

}  // namespace boolearn::gates
