/// Texts that replace names in braces: `Orders` for `{store.name}`.
package struct TextBindings: Hashable, Sendable {
  private let values: [Value]

  private struct Value: Hashable, Sendable {
    let name: [UInt8]
    let text: String
  }

  /// Creates bindings.
  ///
  /// - Parameter values: the names with their braces, and their texts.
  package init(_ values: [(name: String, text: String)]) {
    self.values = values.map { Value(name: Array($0.name.utf8), text: $0.text) }
  }

  /// Returns the text in which each name is replaced with its value. Names in a value aren't replaced.
  package func filled(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var filled: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if let value = value(at: position, of: bytes) {
        filled += value.text.utf8
        position += value.name.count
      } else {
        filled.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: filled, as: UTF8.self)
  }

  /// Returns predicate text in which each name is replaced with its value. The value is a string literal or, if the
  /// name is in a string literal, a part of this literal.
  ///
  ///     title == {store.name}         title == "Orders"
  ///     path == "{store.name}.db"     path == "Orders.db"
  ///
  /// A value can't end the string that contains it, so it never changes the structure of the predicate. Names after an
  /// invalid token aren't replaced, because the parser rejects such text.
  package func bound(inPredicate text: String) -> String {
    let bytes = Array(text.utf8)
    var bound: [UInt8] = []
    var position = 0
    func literal(_ value: String) -> String.UTF8View { FormatName.quoted(value).utf8 }
    for token in Lexer.tokens(of: text) where token.range.lowerBound >= position {
      let start = token.range.lowerBound
      switch token.kind {
      case .string(let string):
        let filled = filled(string)
        guard !filled.utf8.elementsEqual(string.utf8) else { continue }
        bound += bytes[position..<start] + literal(filled)
        position = token.range.upperBound
      case .symbol:
        guard let value = value(at: start, of: bytes) else { continue }
        bound += bytes[position..<start] + literal(value.text)
        position = start + value.name.count
      default: continue
      }
    }
    return String(decoding: bound + bytes[position...], as: UTF8.self)
  }

  private func value(at position: Int, of bytes: [UInt8]) -> Value? {
    values.first { bytes[position...].starts(with: $0.name) }
  }
}
