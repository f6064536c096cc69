#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DataValue {
  /// Creates a UUID. Fails if there aren't 16 bytes.
  package init?(uuid bytes: [UInt8]) {
    guard bytes.count == MemoryLayout<uuid_t>.size else { return nil }
    self = .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
  }

  /// The kinds of values, as nouns for messages. With Foundation's logic, only values of the same kind can be compared.
  enum Kind: String, Hashable {
    case number = "a number"
    case text = "text"
    case date = "a date"
    case uuid = "a UUID"
    case bytes = "binary data"
    case object = "an object"
  }

  /// The kind of the value; nil for null.
  var kind: Kind? {
    switch self {
    case .null: nil
    case .boolean, .integer, .double: .number
    case .string: .text
    case .date: .date
    case .uuid: .uuid
    case .binary: .bytes
    case .objectID: .object
    }
  }

  /// The value as a number. A date is its seconds since 2001-01-01 00:00 UTC. Nil for values that aren't numbers,
  /// Booleans or dates.
  var number: Number? {
    switch self {
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .double(let number), .date(let number): .real(number)
    case .null, .string, .uuid, .binary, .objectID: nil
    }
  }

  /// The bytes of a UUID or of binary data.
  package var bytes: [UInt8]? {
    switch self {
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid, Array.init)
    case .binary(let bytes): bytes
    case .null, .boolean, .integer, .double, .string, .date, .objectID: nil
    }
  }

  /// The rank of the value's storage class in SQLite's order: NULL, then numbers, text and bytes.
  private var storageClass: Int {
    switch self {
    case .null: 0
    case .boolean, .integer, .double, .date, .objectID: 1
    case .string: 2
    case .uuid, .binary: 3
    }
  }

  /// Returns a negative number, zero or a positive number. Text is compared byte by byte after folding.
  ///
  /// - Returns: the order, or nil if a value is null, for two numbers with a NaN, and for an object ID and a number.
  func order(_ other: DataValue, folding: TextFolding) -> Int? {
    if let left = number, let right = other.number { return left.order(right) }
    if case .string(let left) = self, case .string(let right) = other {
      return folding.isIdentity
        ? Self.order(left.utf8, right.utf8)
        : Self.order(folding.folded(left), folding.folded(right))
    }
    if let left = bytes, let right = other.bytes { return Self.order(left, right) }
    if case .objectID(let left) = self, case .objectID(let right) = other {
      return Number.integer(left.primaryKey).order(.integer(right.primaryKey))
    }
    guard self != .null, other != .null, storageClass != other.storageClass else { return nil }
    return storageClass < other.storageClass ? -1 : 1
  }

  private static func order(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}
