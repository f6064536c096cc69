/// The records of a JSON document, one after the other: the elements of the array at a path, the
/// lines of NDJSON, or the one object that there is.
struct ImportRecords: ~Copyable {
  private var scanner: JSONScanner
  private let root: [String]
  /// Nil before the first record.
  private var isInArray: Bool?

  let inputName: String
  private(set) var count = 0

  init(_ source: some ByteSource, root: [String]) {
    scanner = JSONScanner(source)
    inputName = source.name
    self.root = root
  }

  /// The next record; nil after the last one.
  ///
  /// - Throws: `InputError`; `ImportError.noRoot`, `ImportError.noRecords`.
  mutating func next() throws -> JSONValue? {
    guard let isInArray else { return try first() }
    // Behind one object that the root names stands the rest of its document.
    guard isInArray || root.isEmpty else { return nil }
    guard let value = try scanner.nextValue() else { return nil }
    count += 1
    return value
  }

  private mutating func first() throws -> JSONValue? {
    var token = try scanner.next()
    for (index, key) in root.enumerated() {
      guard token == .beginObject, let inside = try value(of: key) else {
        throw ImportError.noRoot(Array(root[...index]))
      }
      token = inside
    }
    isInArray = token == .beginArray
    switch token {
    case .beginArray: return try next()
    case .beginObject:
      count += 1
      return try scanner.value(beginningWith: token)
    case .end: return nil
    case .endObject, .endArray, .key, .string, .number, .true, .false, .null:
      throw ImportError.noRecords(try scanner.value(beginningWith: token).kindName)
    }
  }

  /// Reads to the value of a key of the open object; nil when it has no such key.
  private mutating func value(of key: String) throws -> JSONScanner.Token? {
    while try scanner.next() == .key {
      let isFound = scanner.text.elementsEqual(key.utf8)
      let token = try scanner.next()
      if isFound { return token }
      try scanner.skipValue(beginningWith: token)
    }
    return nil
  }
}
