/// Counts how deep the elements of an XML property list are nested, without understanding more of it.
///
/// Where XML could be read in two ways it takes the one that nests deeper, or refuses: the parser
/// behind it must not find more levels than it has counted.
struct XMLNestingScanner {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  /// The element `plist` is a level of its own.
  private static let limit = PropertyListReader.depthLimit + 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func checkLimits() throws(PropertyListError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    position = bytes[position...].firstIndex { $0 > 0x20 } ?? bytes.count
    guard isAt("<"), !bytes.contains(0) else { throw .unknownFormat }
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      try readMarkup()
    }
  }

  private mutating func readMarkup() throws(PropertyListError) {
    if isAt("<!--") {
      _ = try skip(behind: "-->")
    } else if isAt("<![CDATA[") {
      _ = try skip(behind: "]]>")
    } else if isAt("<?") {
      try checkEncoding(in: try skip(behind: "?>"))
    } else if isAt("<!") {
      // A document type may declare entities between brackets.
      guard !(try skip(behind: ">")).contains(UInt8(ascii: "[")) else { throw .unknownFormat }
    } else if isAt("</") {
      _ = try skip(behind: ">")
      depth -= 1
      guard depth >= 0 else { throw .unknownFormat }
    } else {
      let tag = try skip(behind: ">")
      // In quotes a slash would end nothing.
      let isQuoted = tag.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      if tag.dropLast().last == UInt8(ascii: "/"), !isQuoted { return }
      depth += 1
      guard depth <= Self.limit else { throw .tooDeep(limit: PropertyListReader.depthLimit) }
    }
  }

  /// In another encoding other bytes would be tags.
  private func checkEncoding(in declaration: ArraySlice<UInt8>) throws(PropertyListError) {
    let text = String(decoding: declaration, as: UTF8.self).lowercased()
    guard text.hasPrefix("<?xml"), text.contains("encoding"), !text.contains("utf-8") else {
      return
    }
    throw .unknownFormat
  }

  private func isAt(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Moves behind the next occurrence of some bytes, and returns what it has moved over.
  private mutating func skip(
    behind end: StaticString
  ) throws(PropertyListError) -> ArraySlice<UInt8> {
    let length = end.utf8CodeUnitCount
    let last = end.withUTF8Buffer { $0[length - 1] }
    let start = position
    var from = position
    while let found = bytes[from...].firstIndex(of: last) {
      from = found + 1
      let tail = bytes[start..<from].suffix(length)
      guard end.withUTF8Buffer({ tail.elementsEqual($0) }) else { continue }
      position = from
      return bytes[start..<from]
    }
    throw .unknownFormat
  }
}
