// The clock costs as much as a small iteration: it is read now and then.
#pragma once

#include <chrono>

namespace boolearn {

class Alarm {
  public:
    bool rings() {
        if (++calls_ % 64 && !slow_) return false;
        const auto now = std::chrono::steady_clock::now();
        slow_ = now - looked_ > std::chrono::milliseconds(20);
        looked_ = now;
        if (now - rang_ < std::chrono::milliseconds(100)) return false;
        rang_ = now;
        return true;
    }

  private:
    std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now(), rang_ = looked_;
    unsigned calls_ = 0;
    bool slow_ = true;
};

}  // namespace boolearn
