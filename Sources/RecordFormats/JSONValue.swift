package import SQLiteAccess

/// A JSON value in memory, for documents that don't consist of rows.
///
/// Objects preserve the order of their members, and numbers preserve their digits.
package struct JSONValue: Sendable {
  package enum Content: Hashable, Sendable {
    case object([Member])
    case array([JSONValue])
    case string(String)
    /// The text of a valid JSON number.
    case number(String)
    case boolean(Bool)
    case null
  }

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  package var content: Content
  /// The position in the text, which `==` ignores.
  package var position: TextPosition

  package init(_ content: Content, at position: TextPosition = .start) {
    self.content = content
    self.position = position
  }

  /// Returns the member of an object, or nil for other values and unknown keys.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }
}

extension JSONValue: Hashable {
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    left.content == right.content
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension JSONScanner {
  /// Reads the next value with its contents. Returns nil at the end of the input or of the open array.
  ///
  /// - Throws: `InputError` for invalid text and for duplicate keys in an object; the error of the input if it can't be
  ///   read. Each interpretation of duplicate keys would lose data.
  package mutating func nextValue() throws -> JSONValue? {
    let token = try next()
    if token == .end || token == .endArray { return nil }
    return try value(beginningWith: token)
  }

  /// Reads the value whose first token has just been read.
  package mutating func value(beginningWith token: Token) throws -> JSONValue {
    let position = tokenPosition()
    let content: JSONValue.Content
    switch token {
    case .string, .key: content = .string(String(decoding: text, as: UTF8.self))
    case .number: content = .number(String(decoding: text, as: UTF8.self))
    case .true: content = .boolean(true)
    case .false: content = .boolean(false)
    case .null, .end, .endArray, .endObject: content = .null
    case .beginArray:
      var elements: [JSONValue] = []
      while let element = try nextValue() { elements.append(element) }
      content = .array(elements)
    case .beginObject: content = .object(try members())
    }
    return JSONValue(content, at: position)
  }

  private mutating func members() throws -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    // The keys are compared byte by byte, because Swift treats different Unicode spellings of a character as equal.
    var keys: Set<[UInt8]> = []
    while try next() == .key {
      let key = String(decoding: text, as: UTF8.self)
      guard keys.insert(Array(text)).inserted else { throw duplicateKey(key) }
      members.append(JSONValue.Member(key: key, value: try value(beginningWith: try next())))
    }
    return members
  }

  /// Returns an error at the key that has just been read.
  mutating func duplicateKey(_ key: String) -> InputError {
    input.error(.duplicateKey(key), at: input.mark..<max(input.index - 1, input.mark + 1))
  }

  /// Skips the value whose first token has just been read.
  package mutating func skipValue(beginningWith token: Token) throws {
    guard token == .beginObject || token == .beginArray else { return }
    let outer = depth - 1
    while depth > outer { _ = try next() }
  }
}

extension JSONValue {
  /// Creates the value of a column in a row.
  ///
  /// - Throws: an error of `largeValues` if a large value can't be read.
  package init(
    ofColumn column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    _ shape: RowShape
  ) throws {
    var out = ByteBuffer(capacity: 256)
    switch try out.append(column, of: row, in: rows, shape) {
    case .null: self.init(.null)
    case .literal:
      let text = out.text
      self.init(text == "true" || text == "false" ? .boolean(text == "true") : .number(text))
    case .plain: self.init(.string(out.text))
    case .text(let text): self.init(.string(String(decoding: text, as: UTF8.self)))
    case .special(let name): self.init(.string(name.description))
    case .list(let list):
      list.write(into: &out, between: " ")
      self.init(.array(out.text.split(separator: " ").map { JSONValue(.string(String($0))) }))
    }
  }

  /// Encodes a value. The members of objects are in the order in which the value encodes them. For synthesized
  /// conformances, this is the order of the properties or of the declared `CodingKeys`. Differences from Foundation's
  /// `JSONEncoder`:
  ///
  /// - An optional member that is nil becomes null. `OmittedIfNil` omits it.
  /// - `Flattened` replaces a member with the members of its value.
  /// - Dictionaries with String keys are sorted by key.
  /// - A floating-point number that isn't finite becomes text, because JSON doesn't have such numbers.
  ///
  /// - Precondition: the `encode(to:)` of the value doesn't throw.
  package init(encoding value: some Encodable) {
    do {
      self = try JSONEncoding.value(of: value) ?? .null
    } catch {
      preconditionFailure("a \(type(of: value)) can't be encoded: \(error)")
    }
  }

  package static let null = JSONValue(.null)
}

extension ByteBuffer {
  /// Appends the compact JSON of a value, and a line feed.
  package mutating func append(line value: some Encodable) {
    append(JSONValue(encoding: value), style: .compact)
    append("\n")
  }
}

extension JSONValue: Encodable {
  /// Encodes the value for `init(encoding:)`.
  ///
  /// - Throws: `EncodingError` for other encoders, because they would lose the digits of numbers.
  package func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? JSONEncoding else {
      let context = EncodingError.Context(
        codingPath: encoder.codingPath, debugDescription: "only JSONValue(encoding:) can encode it")
      throw EncodingError.invalidValue(self, context)
    }
    encoder.encode(self)
  }
}

extension ByteBuffer {
  /// The layout of JSON.
  package enum JSONStyle: Hashable, Sendable {
    /// Without white space.
    case compact
    /// One member or element per line, with two spaces per level.
    case indented
  }

  /// Appends a value with its contents.
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
