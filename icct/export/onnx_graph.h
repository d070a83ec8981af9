#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "icct/export/protobuf.h"

namespace icct {

// Numbers of onnx.proto.
enum class OnnxType { Float = 1, Int64 = 7, Bool = 9, Double = 11 };

// A graph of ONNX operators under construction: constants, operators, inputs and outputs in the
// order in which they are added.
class OnnxGraph {
 public:
  // `real`: Float or Double, the type of constants made from numbers.
  OnnxGraph(std::string name, OnnxType real) : name_(std::move(name)), real_(real) {}

  void constant(const std::string& name, const std::vector<std::int64_t>& shape,
                const std::vector<double>& values, OnnxType type);
  void constant(const std::string& name, const std::vector<std::int64_t>& shape,
                const std::vector<double>& values) {
    constant(name, shape, values, real_);
  }

  struct Attribute {
    const char* name;
    std::int64_t value;
  };
  // Adds an operator and returns the name of its result, `result`.
  std::string add(const char* operation, const std::vector<std::string>& inputs,
                  const std::string& result, std::initializer_list<Attribute> attributes = {});

  // `columns` numbers for each of any number of rows.
  void input(const std::string& name, std::int64_t columns);
  void output(const std::string& name, std::int64_t columns, OnnxType type);

  OnnxType real() const { return real_; }

  // The bytes of a model file.
  std::string model(const std::string& documentation) const;

 private:
  std::string name_;
  OnnxType real_;
  ProtobufMessage nodes_, constants_, inputs_, outputs_;
};

}  // namespace icct
