/// A piece of Swift source whose line breaks depend on the room there is.
indirect enum SwiftCode: Hashable, Sendable {
  case text(String)
  case row([SwiftCode])
  /// Items between brackets: on one line where that fits, else each on its own. Those of an array
  /// that is the only item stay with the ones around: `.and([`.
  case list(open: String, items: [SwiftCode], close: String)

  /// `name(a, b: c)`; behind the items a break leaves no comma.
  static func call(_ name: String, _ arguments: [SwiftCode]) -> SwiftCode {
    .list(open: name + "(", items: arguments, close: ")")
  }

  /// `.init(a, b: c)`, without the arguments that are nil.
  static func initializer(_ arguments: SwiftCode?...) -> SwiftCode {
    .call(".init", arguments.compactMap(\.self))
  }

  /// A text as a literal.
  static func string(_ text: String) -> SwiftCode { .text(SwiftLiteral.string(text)) }

  static func array(_ items: [SwiftCode]) -> SwiftCode {
    .list(open: "[", items: items, close: "]")
  }

  /// In the order of the keys, so that the same model gives the same text.
  static func dictionary(_ entries: [String: SwiftCode]) -> SwiftCode {
    if entries.isEmpty { return .text("[:]") }
    return .array(
      entries.sorted { $0.key < $1.key }
        .map { .row([.string($0.key), ": ", $0.value]) })
  }

  static func labelled(_ label: String, _ value: SwiftCode) -> SwiftCode {
    .row([.text(label + ": "), value])
  }

  /// Nil for no items.
  static func labelled(_ label: String, listing items: [SwiftCode]) -> SwiftCode? {
    items.isEmpty ? nil : .labelled(label, .array(items))
  }

  /// Nil for what is assumed anyway.
  static func labelled(_ label: String, _ flag: Bool, assumed: Bool = false) -> SwiftCode? {
    flag == assumed ? nil : .text("\(label): \(flag)")
  }
}

extension SwiftCode: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { self = .text(text) }
}

extension SwiftCode {
  static let lineLength = 100
  static let indentation = 2

  /// All of it on one line.
  var flat: String {
    switch self {
    case .text(let text): text
    case .row(let parts): parts.map(\.flat).joined()
    case .list(let open, let items, let close):
      open + items.map(\.flat).joined(separator: ", ") + close
    }
  }

  /// - Parameters:
  ///   - column: what stands on the line already, the indentation included.
  ///   - tail: what must follow on the last line.
  func text(indent: Int, column: Int, tail: Int) -> String {
    switch self {
    case .text(let text): return text
    case .row(let parts): return Self.text(of: parts, indent: indent, column: column, tail: tail)
    case .list(let open, let items, let close):
      let flat = self.flat
      if items.count == 1, case .list("[", let parts, let end) = items[0] {
        return SwiftCode.list(open: open + "[", items: parts, close: end + close)
          .text(indent: indent, column: column, tail: tail)
      }
      if items.isEmpty || column + flat.count + tail <= Self.lineLength { return flat }
      let inner = indent + Self.indentation
      let margin = String(repeating: " ", count: inner)
      let lines = items.map { margin + $0.text(indent: inner, column: inner, tail: 1) }
      // The style of the array literals that swift-format writes.
      let comma = open.hasSuffix("[") && items.count > 1 ? "," : ""
      return open + "\n" + lines.joined(separator: ",\n") + comma + "\n"
        + String(repeating: " ", count: indent) + close
    }
  }

  private static func text(of parts: [SwiftCode], indent: Int, column: Int, tail: Int) -> String {
    var text = ""
    var column = column
    for (index, part) in parts.enumerated() {
      let rest = parts[(index + 1)...].map(\.flat.count).reduce(tail, +)
      let piece = part.text(indent: indent, column: column, tail: rest)
      text += piece
      let lastLine = piece.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
      column = piece.contains("\n") ? lastLine.count : column + piece.count
    }
    return text
  }
}
