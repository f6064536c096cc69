/// The objects of a binary property list.
///
/// Foundation's decoder doesn't return the references of a keyed archive, so this type reads the format itself: a table
/// of objects that refer to each other by number.
package struct BinaryPropertyList {
  package enum Object: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case data([UInt8])
    case string(String)
    /// A reference of a keyed archive.
    case reference(Int)
    /// The numbers of the members of an array or a set.
    case array([Int])
    /// The numbers of the keys, and the numbers of the values in the same order.
    case dictionary([Int], [Int])
  }

  private let bytes: [UInt8]
  /// The start of the table that contains the offset of each object.
  private let table: Int
  /// The number of bytes of an offset in the table.
  private let offsetSize: Int
  /// The number of bytes of an object's number in an array or a dictionary.
  private let referenceSize: Int
  /// The number of the outermost object.
  package let top: Int
  /// The number of objects.
  package let count: Int

  /// Returns nil if the bytes aren't a binary property list.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: "bplist00".utf8), bytes.count >= 40 else { return nil }
    // The last 32 bytes contain two sizes, the number of objects, the outermost object, and the location of the table.
    let trailer = bytes.count - 32
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.integer(bytes, at: trailer + 8, size: 8),
      let top = Self.integer(bytes, at: trailer + 16, size: 8),
      let table = Self.integer(bytes, at: trailer + 24, size: 8),
      table <= trailer, count <= (trailer - table) / offsetSize, top < count
    else { return nil }
    self.bytes = bytes
    self.table = table
    self.offsetSize = offsetSize
    self.referenceSize = referenceSize
    self.top = top
    self.count = count
  }

  /// Returns the object with this number, or nil if it doesn't exist, is damaged, or has an unknown type.
  package subscript(number: Int) -> Object? {
    guard let start = offset(of: number) else { return nil }
    let (kind, detail) = (bytes[start] >> 4, Int(bytes[start] & 0x0F))
    switch kind {
    case 0x0: return [0x0: .null, 0x8: .boolean(false), 0x9: .boolean(true)][detail]
    case 0x1: return integerObject(at: start + 1, size: 1 << min(detail, 6))
    case 0x2: return real(at: start + 1, size: 1 << min(detail, 6)).map { .real($0) }
    case 0x3: return real(at: start + 1, size: 8).map { .date($0) }
    case 0x8: return Self.integer(bytes, at: start + 1, size: detail + 1).map { .reference($0) }
    default: return sized(kind, at: start, detail)
    }
  }

  /// The type of an object, which its first byte specifies.
  package enum Kind: Hashable, Sendable {
    case data, string, reference, array, dictionary
    /// Null, a Boolean value, a number or a date.
    case scalar
  }

  package func kind(of number: Int) -> Kind? {
    guard let start = offset(of: number) else { return nil }
    switch bytes[start] >> 4 {
    case 0x0...0x3: return .scalar
    case 0x4: return .data
    case 0x5, 0x6: return .string
    case 0x8: return .reference
    case 0xA, 0xB, 0xC: return .array
    case 0xD: return .dictionary
    default: return nil
    }
  }

  /// Returns the number of bytes of data, of code units of a string, or of members of a container, without reading the
  /// content. Returns 0 for other objects.
  package func length(of number: Int) -> Int {
    guard let start = offset(of: number), bytes[start] >> 4 >= 0x4, bytes[start] >> 4 != 0x8 else {
      return 0
    }
    return length(at: start, Int(bytes[start] & 0x0F))?.count ?? 0
  }

  private func offset(of number: Int) -> Int? {
    guard number >= 0, number < count,
      let offset = Self.integer(bytes, at: table + number * offsetSize, size: offsetSize),
      offset < bytes.count - 32
    else { return nil }
    return offset
  }

  private func integerObject(at start: Int, size: Int) -> Object? {
    guard size <= 8, start + size <= bytes.count else { return nil }
    let bits = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // An integer of eight bytes is signed, and a shorter one is unsigned.
    return .integer(Int64(truncatingIfNeeded: bits))
  }

  private func real(at start: Int, size: Int) -> Double? {
    guard size == 4 || size == 8, start + size <= bytes.count else { return nil }
    let bits = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 8
      ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  /// Returns the length of an object and the start of its content. If `detail` is 15, the length is in an integer after
  /// the first byte.
  private func length(at start: Int, _ detail: Int) -> (count: Int, start: Int)? {
    guard detail == 0x0F else { return (detail, start + 1) }
    guard start + 1 < bytes.count, bytes[start + 1] >> 4 == 0x1 else { return nil }
    let size = 1 << Int(min(bytes[start + 1] & 0x0F, 3))
    // No object is larger than the file.
    guard let length = Self.integer(bytes, at: start + 2, size: size), length <= bytes.count else {
      return nil
    }
    return (length, start + 2 + size)
  }

  /// Reads a string, data or a container.
  private func sized(_ kind: UInt8, at start: Int, _ detail: Int) -> Object? {
    guard let (count, start) = length(at: start, detail) else { return nil }
    switch kind {
    case 0x4: return slice(start, count).map { .data(Array($0)) }
    case 0x5: return slice(start, count).map { .string(String(decoding: $0, as: UTF8.self)) }
    case 0x6: return slice(start, count * 2).map { .string(Self.text(utf16: $0)) }
    case 0xA, 0xB, 0xC: return references(at: start, count).map { .array($0) }
    case 0xD:
      return references(at: start, count * 2).map {
        .dictionary(Array($0[..<count]), Array($0[count...]))
      }
    default: return nil
    }
  }

  private func slice(_ start: Int, _ count: Int) -> ArraySlice<UInt8>? {
    start + count <= bytes.count ? bytes[start..<start + count] : nil
  }

  private func references(at start: Int, _ count: Int) -> [Int]? {
    guard start + count * referenceSize <= bytes.count else { return nil }
    let numbers = (0..<count).compactMap {
      Self.integer(bytes, at: start + $0 * referenceSize, size: referenceSize)
    }
    // A number of eight bytes can be too large for `Int`.
    return numbers.count == count ? numbers : nil
  }

  /// Reads big-endian UTF-16.
  private static func text(utf16 bytes: ArraySlice<UInt8>) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func integer(_ bytes: [UInt8], at start: Int, size: Int) -> Int? {
    guard start >= 0, start <= bytes.count - size else { return nil }
    let bits = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: bits)
  }
}
