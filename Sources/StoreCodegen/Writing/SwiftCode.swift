/// A piece of Swift source whose line breaks depend on the available width.
indirect enum SwiftCode: Hashable, Sendable {
  case text(String)
  case row([SwiftCode])
  /// Items between brackets: on one line if they fit, otherwise one item per line. If the only item is an array, its
  /// brackets are on the same lines as the outer brackets, as in `.and([`.
  case list(open: String, items: [SwiftCode], close: String)

  /// Returns a call such as `name(a, b: c)`. If each argument is on its own line, the last one has no trailing comma.
  static func call(_ name: String, _ arguments: [SwiftCode]) -> SwiftCode {
    .list(open: name + "(", items: arguments, close: ")")
  }

  /// Returns a call such as `.init(a, b: c)`. Nil arguments are omitted.
  static func initializer(_ arguments: SwiftCode?...) -> SwiftCode {
    .call(".init", arguments.compactMap(\.self))
  }

  static func string(_ text: String) -> SwiftCode { .text(SwiftLiteral.string(text)) }

  static func array(_ items: [SwiftCode]) -> SwiftCode {
    .list(open: "[", items: items, close: "]")
  }

  /// Returns a dictionary literal with sorted keys, so that equal models produce equal text.
  static func dictionary(_ entries: [String: SwiftCode]) -> SwiftCode {
    if entries.isEmpty { return .text("[:]") }
    return .array(
      entries.sorted { $0.key < $1.key }
        .map { .row([.string($0.key), ": ", $0.value]) })
  }

  static func labelled(_ label: String, _ value: SwiftCode) -> SwiftCode {
    .row([.text(label + ": "), value])
  }

  /// Returns a labelled array, or nil if `items` is empty.
  static func labelled(_ label: String, listing items: [SwiftCode]) -> SwiftCode? {
    items.isEmpty ? nil : .labelled(label, .array(items))
  }

  /// Returns a labelled Boolean value, or nil if it equals the default, `assumed`.
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

  /// The code on one line.
  var flat: String {
    switch self {
    case .text(let text): text
    case .row(let parts): parts.map(\.flat).joined()
    case .list(let open, let items, let close):
      open + items.map(\.flat).joined(separator: ", ") + close
    }
  }

  /// Returns the code with line breaks.
  ///
  /// - Parameters:
  ///   - column: the number of characters before the code on its first line, including the indentation.
  ///   - tail: the number of characters after the code on its last line.
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
      // swift-format requires a trailing comma in an array literal with several elements on several lines.
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
