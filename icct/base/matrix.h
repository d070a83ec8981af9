#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace icct {

// A view of `rows` x `columns` numbers, row after row without gaps. Rows are samples, columns are
// features.
template <class T>
struct MatrixView {
  T* data = nullptr;
  int rows = 0;
  int columns = 0;

  std::span<T> row(int i) const { return {data + offset(i), static_cast<std::size_t>(columns)}; }
  T& operator()(int i, int j) const { return data[offset(i) + static_cast<std::size_t>(j)]; }
  std::size_t size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
  bool empty() const { return data == nullptr; }

  // A writable view may be passed where a readable one is wanted.
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) {
    return {data, rows, columns};
  }

 private:
  std::size_t offset(int i) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(columns);
  }
};

}  // namespace icct
