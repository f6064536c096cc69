package import StoreDiagnostics

/// The ranges of the names and values in a start tag, from which the locations of diagnostics are derived.
///
/// The file must be well-formed: attribute values must be quoted and must not contain `<`.
struct XMLTag {
  struct Attribute {
    let name: Range<Int>
    /// The range of the value without its quotes.
    let value: Range<Int>
  }

  let name: Range<Int>
  let attributes: [Attribute]

  init(endingAt tagEnd: Int, in bytes: [UInt8]) {
    let end = min(max(tagEnd, 0), bytes.count)
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "<")).map { $0 + 1 } ?? 0
    var scanner = Scanner(bytes: bytes, position: min(start, end), end: end)
    name = scanner.name()
    var found: [Attribute] = []
    while let attribute = scanner.attribute() { found.append(attribute) }
    attributes = found
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position: Int
    let end: Int

    mutating func name() -> Range<Int> {
      let start = position
      skip { !Self.isSpace($0) && $0 != UInt8(ascii: "=") }
      return start..<position
    }

    /// Parses a name, an equals sign with optional white space around it, and a quoted value. Returns nil if the tag
    /// has no more attributes.
    mutating func attribute() -> Attribute? {
      skip(while: Self.isSpace)
      let name = name()
      skip(while: Self.isSpace)
      guard position < end, bytes[position] == UInt8(ascii: "=") else { return nil }
      position += 1
      skip(while: Self.isSpace)
      guard position < end else { return nil }
      let quote = bytes[position]
      position += 1
      let start = position
      skip { $0 != quote }
      let value = start..<position
      position = min(position + 1, end)
      return Attribute(name: name, value: value)
    }

    mutating func skip(while isWanted: (UInt8) -> Bool) {
      while position < end, isWanted(bytes[position]) { position += 1 }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
  }
}

extension XMLSource {
  /// Returns the range of the bytes at `spot`. If the tag lacks the attribute, returns the range of the element's name.
  package func range(of spot: XMLSpot) -> Range<Int> {
    let tag = XMLTag(endingAt: spot.tagEnd, in: bytes)
    switch spot.part {
    case .elementName: return tag.name
    case .attributeName(let name): return attribute(name, of: tag)?.name ?? tag.name
    case .attributeValue(let name): return attribute(name, of: tag)?.value ?? tag.name
    case .text:
      let start = min(max(spot.tagEnd + 1, 0), bytes.count)
      return start..<(bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count)
    }
  }

  private func attribute(_ name: String, of tag: XMLTag) -> XMLTag.Attribute? {
    tag.attributes.first { bytes[$0.name].elementsEqual(name.utf8) }
  }

  /// Returns `diagnostic` with the location of `spot` and an excerpt of its line.
  package func locate(_ diagnostic: DiagnosticMessage, at spot: XMLSpot) -> DiagnosticMessage {
    let range = range(of: spot)
    var located = diagnostic
    located.place = place(of: range.lowerBound)
    located.excerpt = excerpt(at: range)
    return located
  }
}
