// Arrays that begin on a cache line, and on a huge page when they are large: the sweep walks through
// hundreds of megabytes, and with small pages the processor would spend its time looking up addresses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace boolearn {

template <class T> class Array {
  public:
    explicit Array(std::size_t size = 0, T value = T()) : size_(size) {
        constexpr std::size_t line = 64, page = std::size_t(1) << 21;
        const std::size_t align = size * sizeof(T) >= 2 * page ? page : line;
        const std::size_t bytes = (size * sizeof(T) + align - 1) / align * align;
        data_.reset(static_cast<T*>(std::aligned_alloc(align, std::max(bytes, align))));
        if (!data_) throw std::bad_alloc();
#ifdef __linux__
        if (align == page) madvise(data_.get(), bytes, MADV_HUGEPAGE);
#endif
        std::fill_n(data_.get(), size, value);
    }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t k) { return data_.get()[k]; }
    const T& operator[](std::size_t k) const { return data_.get()[k]; }

  private:
    struct Free {
        void operator()(T* p) const { std::free(p); }
    };
    std::size_t size_;
    std::unique_ptr<T, Free> data_;
};

}  // namespace boolearn
