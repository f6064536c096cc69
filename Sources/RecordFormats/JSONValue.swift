package import SQLiteAccess

/// A JSON value in memory, for documents whose shape is not that of a row.
///
/// Objects keep the order of their members; numbers keep their digits.
package struct JSONValue: Sendable {
  package indirect enum Content: Hashable, Sendable {
    case object([Member])
    case array([JSONValue])
    case string(String)
    /// The text as written, valid by the grammar of JSON numbers.
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
  /// Where it begins in its text; takes no part in `==`.
  package var position: TextPosition

  package init(_ content: Content, at position: TextPosition = .start) {
    self.content = content
    self.position = position
  }

  /// The member of an object; nil for other values and other keys.
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
  /// The next value with all that is in it; nil at the end of the input or of the open array.
  ///
  /// - Throws: `InputError`; a key that an object has twice is one, since either reading of it
  ///   would lose data.
  package mutating func nextValue() throws -> JSONValue? {
    let token = try next()
    if token == .end || token == .endArray { return nil }
    return try value(beginningWith: token)
  }

  /// The value whose first token was just read.
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
    // By bytes: Swift's strings are equal already when they only look the same.
    var keys: Set<[UInt8]> = []
    while try next() == .key {
      let key = String(decoding: text, as: UTF8.self)
      guard keys.insert(Array(text)).inserted else { throw duplicateKey(key) }
      members.append(JSONValue.Member(key: key, value: try value(beginningWith: try next())))
    }
    return members
  }

  /// An error at the key that was just read.
  mutating func duplicateKey(_ key: String) -> InputError {
    input.error(.duplicateKey(key), at: input.mark..<max(input.index - 1, input.mark + 1))
  }

  /// Reads over the value whose first token was just read.
  package mutating func skipValue(beginningWith token: Token) throws {
    guard token == .beginObject || token == .beginArray else { return }
    let outer = depth - 1
    while depth > outer { _ = try next() }
  }
}
