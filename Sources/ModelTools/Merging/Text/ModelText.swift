package import StoreModelReader

/// A model file as a tree that preserves the original text, including white space. `bytes` is the content of the file.
package struct ModelText: Sendable {
  /// The line ends of a file. A file that contains both is treated as LF and keeps its carriage returns.
  package enum LineEnd: String, Hashable, Sendable {
    case lf = "\n"
    case crlf = "\r\n"
  }

  /// The source. If all line ends of the file are CR LF, they are converted to LF.
  package let source: XMLSource
  /// Whether the file begins with a byte order mark.
  var hasMark: Bool
  var lineEnd: LineEnd
  var root: TextElement
  /// The text after the root element.
  var rest: String

  /// - Throws: `XMLError` if the XML can't be parsed.
  package init(file: String, bytes: [UInt8]) throws(XMLError) {
    hasMark = bytes.starts(with: Self.mark)
    lineEnd = Self.lineEnd(of: bytes)
    let plain = lineEnd == .crlf ? bytes.filter { $0 != UInt8(ascii: "\r") } : bytes
    source = XMLSource(file: file, bytes: plain)
    _ = try XMLReader.read(source)
    var scanner = TextScanner(source.bytes)
    (root, rest) = scanner.document()
  }

  /// Returns whether two files have the same bytes.
  func isWritten(as other: ModelText) -> Bool {
    hasMark == other.hasMark && lineEnd == other.lineEnd && source.bytes == other.source.bytes
  }

  package var bytes: [UInt8] { encoded(root.text + rest) }

  /// Returns the bytes of a text, with the line ends and the byte order mark of the file.
  func encoded(_ text: String) -> [UInt8] {
    let own = lineEnd == .crlf ? text.replacing("\n", with: "\r\n") : text
    return (hasMark ? Self.mark : []) + Array(own.utf8)
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func lineEnd(of bytes: [UInt8]) -> LineEnd {
    var (feeds, returns, pairs, previous) = (0, 0, 0, UInt8(0))
    for byte in bytes {
      if byte == 0x0A {
        feeds += 1
        pairs += previous == 0x0D ? 1 : 0
      }
      returns += byte == 0x0D ? 1 : 0
      previous = byte
    }
    return feeds > 0 && pairs == feeds && returns == feeds ? .crlf : .lf
  }

  /// The model in Xcode's form: its order of attributes and elements, its indentation and quotes.
  ///
  /// Unknown attributes and elements are last, and comments remain above their elements. A line break at the end is
  /// kept: Xcode doesn't write it, but many editors do.
  package var formatted: ModelText {
    var copy = self
    copy.hasMark = false
    copy.lineEnd = .lf
    let items = Self.items(in: root.lead).filter { !$0.hasPrefix("<?xml ") }
    copy.root = root.formatted(depth: 0)
    copy.root.lead =
      #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
      + items.map { $0 + "\n" }.joined()
    copy.rest =
      Self.items(in: rest).map { "\n" + $0 }.joined() + (rest.hasSuffix("\n") ? "\n" : "")
    return copy
  }

  /// Returns the comments, processing instructions and texts before a tag, without the white space around them.
  static func items(in lead: String) -> [String] {
    var items: [String] = []
    var rest = lead[...].drop(while: \.isWhitespace)
    while !rest.isEmpty {
      let ends = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
      let end = ends.first { rest.hasPrefix($0.0) }.flatMap { rest.firstRange(of: $0.1) }
      let cut = end?.upperBound ?? rest.dropFirst().firstIndex(of: "<") ?? rest.endIndex
      let item = rest[..<cut]
      items.append(
        String(item[..<(item.lastIndex { !$0.isWhitespace }.map(item.index(after:)) ?? cut)]))
      rest = rest[cut...].drop(while: \.isWhitespace)
    }
    return items
  }
}

extension TextElement {
  fileprivate func formatted(depth: Int) -> TextElement {
    var copy = self
    copy.lead = Self.lines(above: lead, depth: depth)
    copy.attributes = inOrder(attributes).map(\.formatted)
    copy.tail = ""
    let items = ModelText.items(in: closingLead)
    // Xcode never writes the root as an empty-element tag.
    copy.isClosed = children.isEmpty && items.isEmpty && name != "model"
    copy.closing = copy.isClosed ? "" : "</\(name)>"
    copy.closingLead = copy.isClosed ? "" : Self.lines(above: closingLead, depth: depth)
    copy.children = inOrder(children).map { $0.formatted(depth: depth + 1) }
    return copy
  }

  /// Returns the text before a tag: the comments in `lead` on their own lines, a line break, and the indentation.
  private static func lines(above lead: String, depth: Int) -> String {
    let start = "\n" + String(repeating: "    ", count: depth)
    return ModelText.items(in: lead).map { start + $0 }.joined() + start
  }

  private func inOrder(_ attributes: [Attribute]) -> [Attribute] {
    // Xcode 8 and earlier wrote this attribute before the others. It stays there, although Xcode now writes it last.
    let version = "userDefinedModelVersionIdentifier"
    let first = attributes.first { $0.name == "type" || $0.name == version }
    let isOld = name == "model" && first?.name == version
    func rank(_ attribute: Attribute) -> Int {
      let rank = XcodeOrder.rank(ofAttribute: attribute.name, in: name)
      guard isOld else { return rank }
      switch attribute.name {
      case "name": return -2
      case version: return -1
      default: return rank
      }
    }
    return attributes.stablySorted { rank($0) < rank($1) }
  }

  /// Returns the children of a model or an entity in Xcode's order. The children of other elements keep their order.
  private func inOrder(_ children: [TextElement]) -> [TextElement] {
    guard name == "model" || name == "entity" else { return children }
    return children.stablySorted { one, other in
      let keys = [one, other].map { ElementKey(kind: $0.name, name: $0["name"] ?? "") }
      return keys[0].precedes(keys[1])
    }
  }
}

extension TextElement.Attribute {
  fileprivate var formatted: TextElement.Attribute {
    var copy = self
    copy.lead = " "
    let quoted = text[(text.firstIndex { $0 == "\"" || $0 == "'" } ?? text.endIndex)...]
    let raw = String(quoted.dropFirst().dropLast())
    copy.text =
      "\(name)=\"" + (quoted.hasPrefix("'") ? raw.replacing("\"", with: "&quot;") : raw)
      + "\""
    return copy
  }
}

extension Array {
  func stablySorted(by precedes: (Element, Element) -> Bool) -> [Element] {
    enumerated().sorted { one, other in
      precedes(one.element, other.element)
        || !precedes(other.element, one.element) && one.offset < other.offset
    }.map(\.element)
  }
}
