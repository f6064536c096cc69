extension ByteBuffer {
  /// A JSON value on one line, members in their order, numbers with their digits.
  package mutating func append(_ value: JSONValue) {
    switch value.content {
    case .null: append("null")
    case .boolean(let flag): append(flag ? "true" : "false")
    case .number(let digits): append(digits)
    case .string(let text): append(json: text)
    case .array(let elements):
      append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { append(",") }
        append(element)
      }
      append("]")
    case .object(let members):
      append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { append(",") }
        append(json: member.key)
        append(":")
        append(member.value)
      }
      append("}")
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text.
  package var description: String {
    var buffer = ByteBuffer(capacity: 256)
    buffer.append(self)
    return buffer.text
  }
}
