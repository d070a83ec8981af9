#include "icct/export/onnx_graph.h"

#include <cstring>

namespace icct {
namespace {

// What the files say they are: operators of opset 13, which every runtime since 2020 has.
constexpr std::int64_t kIrVersion = 7;
constexpr std::int64_t kOpset = 13;

template <class T>
void append(std::string& bytes, double value) {
  const T converted = static_cast<T>(value);
  char raw[sizeof(T)];
  std::memcpy(raw, &converted, sizeof(T));  // little-endian, as the format asks
  bytes.append(raw, sizeof(T));
}

std::string raw_data(const std::vector<double>& values, OnnxType type) {
  std::string bytes;
  for (const double value : values) {
    if (type == OnnxType::Float) {
      append<float>(bytes, value);
    } else if (type == OnnxType::Int64) {
      append<std::int64_t>(bytes, value);
    } else {
      append<double>(bytes, value);
    }
  }
  return bytes;
}

ProtobufMessage value_info(const std::string& name, std::int64_t columns, OnnxType type) {
  ProtobufMessage rows, column, shape, tensor, tensor_type, info;
  rows.bytes(2, "rows");
  column.number(1, columns);
  shape.message(1, rows).message(1, column);
  tensor.number(1, static_cast<std::int64_t>(type)).message(2, shape);
  tensor_type.message(1, tensor);
  return info.bytes(1, name).message(2, tensor_type);
}

}  // namespace

void OnnxGraph::constant(const std::string& name, const std::vector<std::int64_t>& shape,
                         const std::vector<double>& values, OnnxType type) {
  ProtobufMessage tensor;
  for (const std::int64_t size : shape) tensor.number(1, size);
  tensor.number(2, static_cast<std::int64_t>(type)).bytes(8, name);
  constants_.message(5, tensor.bytes(9, raw_data(values, type)));
}

std::string OnnxGraph::add(const char* operation, const std::vector<std::string>& inputs,
                           const std::string& result, std::initializer_list<Attribute> attributes) {
  constexpr std::int64_t kIntAttribute = 2;
  ProtobufMessage node;
  for (const std::string& input : inputs) node.bytes(1, input);
  node.bytes(2, result).bytes(3, result).bytes(4, operation);
  for (const Attribute& attribute : attributes) {
    ProtobufMessage message;
    message.bytes(1, attribute.name).number(3, attribute.value).number(20, kIntAttribute);
    node.message(5, message);
  }
  nodes_.message(1, node);
  return result;
}

void OnnxGraph::input(const std::string& name, std::int64_t columns) {
  inputs_.message(11, value_info(name, columns, real_));
}

void OnnxGraph::output(const std::string& name, std::int64_t columns, OnnxType type) {
  outputs_.message(12, value_info(name, columns, type));
}

std::string OnnxGraph::model(const std::string& documentation) const {
  ProtobufMessage name, opset, header;
  name.bytes(2, name_);
  opset.bytes(1, "").number(2, kOpset);
  header.number(1, kIrVersion).bytes(2, "icct").bytes(6, documentation).message(8, opset);
  // The fields of a message may stand in any order, so parts of it can be joined.
  return header
      .bytes(7, nodes_.encoded() + name.encoded() + constants_.encoded() + inputs_.encoded() +
                    outputs_.encoded())
      .encoded();
}

}  // namespace icct
