/// Splits the bytes of a file into elements without loss. libxml2 has already checked that the file is well-formed.
struct TextScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads the root element and the text after it.
  mutating func document() -> (root: TextElement, rest: String) {
    let root = element(after: lead())
    return (root, text(position..<bytes.count))
  }

  /// Reads the text before the next tag: white space, text, comments, instructions.
  private mutating func lead() -> String {
    let start = position
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = open
      if starts(with: "<!--") {
        skip(past: "-->")
      } else if starts(with: "<![CDATA[") {
        skip(past: "]]>")
      } else if starts(with: "<?") {
        skip(past: "?>")
      } else {
        return text(start..<open)
      }
    }
    position = bytes.count
    return text(start..<position)
  }

  private mutating func element(after lead: String) -> TextElement {
    let start = position
    position = min(position + 1, bytes.count)
    var element = TextElement(
      lead: lead, name: text(name()), attributes: [], tail: "", isClosed: false)
    element.tail = attributes(of: &element)
    element.isClosed = byte == UInt8(ascii: "/")
    position = min(position + (element.isClosed ? 2 : 1), bytes.count)
    if !element.isClosed { content(of: &element) }
    element.range = start..<position
    return element
  }

  private mutating func content(of element: inout TextElement) {
    while position < bytes.count {
      let lead = lead()
      guard starts(with: "</") || position >= bytes.count else {
        element.children.append(self.element(after: lead))
        continue
      }
      element.closingLead = lead
      let start = position
      skip(past: ">")
      element.closing = text(start..<position)
      return
    }
  }

  /// - Returns: the white space after the last attribute.
  private mutating func attributes(of element: inout TextElement) -> String {
    while true {
      let lead = text(run(while: Self.isSpace))
      guard let byte, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") else { return lead }
      let start = position
      let name = text(self.name())
      _ = run { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      guard let quote = self.byte else { return lead }
      position += 1
      let value = run { $0 != quote }
      position = min(position + 1, bytes.count)
      element.attributes.append(
        .init(
          lead: lead, name: name, text: text(start..<position),
          value: XMLText.value(of: bytes[value])))
    }
  }

  private mutating func name() -> Range<Int> {
    run {
      !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/")
        && $0 != UInt8(ascii: ">")
    }
  }

  private mutating func run(while isWanted: (UInt8) -> Bool) -> Range<Int> {
    let start = position
    while position < bytes.count, isWanted(bytes[position]) { position += 1 }
    return start..<position
  }

  private mutating func skip(past end: StaticString) {
    while position < bytes.count, !starts(with: end) { position += 1 }
    position = min(position + end.utf8CodeUnitCount, bytes.count)
  }

  private func starts(with word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    return (0..<count).allSatisfy { bytes[position + $0] == word.utf8Start[$0] }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
