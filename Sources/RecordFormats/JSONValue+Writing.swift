extension ByteBuffer {
  /// How JSON is laid out.
  package enum JSONStyle: Hashable, Sendable {
    /// No white space.
    case compact
    /// A member or an element a line, two spaces a level.
    case indented
  }

  /// A value and all that is in it.
  package mutating func append(_ value: JSONValue, style: JSONStyle = .compact, level: Int = 0) {
    switch value.content {
    case .null: append("null")
    case .boolean(let flag): append(flag ? "true" : "false")
    case .number(let text): append(text)
    case .string(let text): append(json: text)
    case .array(let elements):
      append(elements, between: "[", "]", style, level) { out, element in
        out.append(element, style: style, level: level + 1)
      }
    case .object(let members):
      append(members, between: "{", "}", style, level) { out, member in
        out.append(json: member.key)
        out.append(style == .compact ? ":" : ": ")
        out.append(member.value, style: style, level: level + 1)
      }
    }
  }

  private mutating func append<Item>(
    _ items: [Item], between opening: StaticString, _ closing: StaticString, _ style: JSONStyle,
    _ level: Int, _ item: (inout ByteBuffer, Item) -> Void
  ) {
    append(opening)
    for (index, element) in items.enumerated() {
      if index > 0 { append(",") }
      breakLine(style, level + 1)
      item(&self, element)
    }
    if !items.isEmpty { breakLine(style, level) }
    append(closing)
  }

  private mutating func breakLine(_ style: JSONStyle, _ level: Int) {
    guard style == .indented else { return }
    append("\n")
    for _ in 0..<level { append("  ") }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text, on one line.
  package var description: String {
    var out = ByteBuffer(capacity: 256)
    out.append(self)
    return out.text
  }
}
