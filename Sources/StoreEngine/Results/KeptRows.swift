import SQLiteAccess

// The format of a list in a file: the format's version, a text that identifies the store and the request, the numbers
// of rows and sections, the sections, the keys, entity numbers and value hashes of the rows in the list's order, the
// hashes of their sort values in the order of keys, and a checksum. Numbers are little-endian and have 64 bits.

/// A list, and the scan from which it was created.
struct KeptRows {
  var list: MatchedRows
  var scan: RowScan
}

extension KeptRows {
  /// The version of the format and of the hash function.
  private static let magic = Array("storetool results 3\n".utf8)

  func archived(of identity: String) -> [UInt8] {
    var bytes = Self.magic
    bytes.reserveCapacity(list.count * 32 + 4_096)
    bytes.append(identity)
    bytes.append(Int64(list.count))
    bytes.append(Int64(list.names.count))
    for (section, name) in zip(list.rows.sections, list.names) {
      bytes.append(Int64(section.rows.count))
      bytes.append(section.value)
      bytes.append(name)
    }
    bytes.append(list.rows.keys)
    bytes.append(list.numbers)
    bytes.append(list.rows.fingerprints.map { Int64(bitPattern: $0) })
    bytes.append(scan.rows.map { Int64(bitPattern: $0.order) })
    bytes.append(Int64(bitPattern: ValueMix.sum(of: bytes[...])))
    return bytes
  }

  /// Returns nil if the bytes are damaged or belong to another store or request.
  init?(archived bytes: [UInt8], of identity: String) {
    guard bytes.starts(with: Self.magic), bytes.count >= Self.magic.count + 8 else { return nil }
    var end = ArchiveReader(bytes[(bytes.count - 8)...])
    let content = bytes[..<(bytes.count - 8)]
    guard end.integer() == Int64(bitPattern: ValueMix.sum(of: content)) else { return nil }
    var reader = ArchiveReader(content[Self.magic.count...])
    var list = MatchedRows()
    guard reader.text() == identity, let count = reader.count(), let sectionCount = reader.count()
    else { return nil }
    for _ in 0..<sectionCount {
      guard let size = reader.count(), let value = reader.value(), let name = reader.text() else {
        return nil
      }
      let start = list.rows.sections.last?.rows.upperBound ?? 0
      list.rows.sections.append(.init(value: value, rows: start..<(start + size)))
      list.names.append(name)
    }
    guard list.rows.sections.last?.rows.upperBound ?? 0 == count, let keys = reader.integers(count),
      let numbers = reader.integers(count), let fingerprints = reader.integers(count),
      let orders = reader.integers(count)
    else { return nil }
    list.rows.keys = keys
    list.rows.fingerprints = fingerprints.map { UInt64(bitPattern: $0) }
    list.numbers = numbers
    list.byKey = keys.indices.sorted { keys[$0] < keys[$1] }
    scan = RowScan(
      rows: zip(list.byKey, orders).map { place, order in
        RowScan.Row(
          key: keys[place], number: numbers[place], fingerprint: list.rows.fingerprints[place],
          order: UInt64(bitPattern: order))
      })
    self.list = list
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: Int64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append(_ numbers: [Int64]) {
    for number in numbers { append(number) }
  }

  fileprivate mutating func append(_ text: String) {
    append(Int64(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  fileprivate mutating func append(_ value: SQLiteValue) {
    switch value {
    case .null: append(Int64(0))
    case .integer(let number):
      append(Int64(1))
      append(number)
    case .real(let number):
      append(Int64(2))
      append(Int64(bitPattern: number.bitPattern))
    case .text(let text):
      append(Int64(3))
      append(text)
    case .blob(let bytes):
      append(Int64(4))
      append(Int64(bytes.count))
      append(contentsOf: bytes)
    }
  }
}

/// Reads an archive. Functions return nil if the bytes end too early.
private struct ArchiveReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func integer() -> Int64? { integers(1)?.first }

  /// Reads a number of elements. It can't exceed the number of the remaining bytes, because each element has at least
  /// one byte.
  mutating func count() -> Int? {
    guard let number = integer(), number >= 0, number <= Int64(rest.count) else { return nil }
    return Int(number)
  }

  mutating func integers(_ count: Int) -> [Int64]? {
    guard count <= rest.count / 8 else { return nil }
    defer { rest = rest.dropFirst(count * 8) }
    return rest.withUnsafeBytes { bytes in
      (0..<count).map {
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self))
      }
    }
  }

  mutating func bytes() -> [UInt8]? {
    guard let count = count() else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func text() -> String? { bytes().map { String(decoding: $0, as: UTF8.self) } }

  mutating func value() -> SQLiteValue? {
    switch integer() {
    case 0: .null
    case 1: integer().map { .integer($0) }
    case 2: integer().map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
    case 3: text().map { .text($0) }
    case 4: bytes().map { .blob($0) }
    default: nil
    }
  }
}
