import CSQLite

/// A fast 64-bit hash of SQLite's values.
///
/// Numbers use the finalizer of MurmurHash3. Text and bytes use the mixing step of wyhash, which combines the two
/// halves of a 128-bit product. The hash detects errors, but not manipulation, and is the same in every process.
package enum ValueMix {
  /// Returns the hash of a value. It depends on the storage class, but an integer and a real with the same value have
  /// the same hash.
  @inline(__always)
  package static func value(_ value: OpaquePointer?) -> UInt64 {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER:
      return word(UInt64(bitPattern: sqlite3_value_int64(value)), integer)
    case SQLITE_FLOAT:
      let number = sqlite3_value_double(value)
      // SQLite can store a whole number as an integer or as a real, and treats the two as equal.
      guard let whole = Int64(exactly: number) else { return word(number.bitPattern, real) }
      return word(UInt64(bitPattern: whole), integer)
    case SQLITE_TEXT:
      let characters = UnsafeRawPointer(sqlite3_value_text(value))
      return bytes(characters, count: Int(sqlite3_value_bytes(value)), text)
    case SQLITE_BLOB:
      let content = sqlite3_value_blob(value)
      return bytes(content, count: Int(sqlite3_value_bytes(value)), blob)
    default: return null
    }
  }

  /// Returns the hash of bytes.
  package static func sum(of bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { Self.bytes($0.baseAddress, count: $0.count, blob) }
  }

  private static let integer: UInt64 = 0xA076_1D64_78BD_642F
  private static let real: UInt64 = 0xE703_7ED1_A0B4_28DB
  private static let text: UInt64 = 0x8EBC_6AF0_9C88_C6E3
  private static let blob: UInt64 = 0x5899_65CC_7537_4CC3
  private static let null: UInt64 = 0x1D8E_4E27_C47D_124F

  /// Returns the hash of a word. With the same seed, different words have different hashes.
  @inline(__always)
  private static func word(_ word: UInt64, _ seed: UInt64) -> UInt64 {
    var mix = word ^ seed
    mix = (mix ^ (mix >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mix = (mix ^ (mix >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return mix ^ (mix >> 33)
  }

  @inline(__always)
  package static func both(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = (a ^ integer).multipliedFullWidth(by: b ^ real)
    return product.high ^ product.low
  }

  @inline(__always)
  private static func bytes(_ start: UnsafeRawPointer?, count: Int, _ seed: UInt64) -> UInt64 {
    var mix = word(UInt64(truncatingIfNeeded: count), seed)
    guard let start else { return mix }
    var offset = 0
    while count - offset >= 8 {
      mix = both(start.loadUnaligned(fromByteOffset: offset, as: UInt64.self), mix)
      offset += 8
    }
    guard offset < count else { return mix }
    // Reading the last eight bytes, some of them a second time, is faster than reading the rest byte by byte.
    if count > 8 {
      return both(start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self), mix)
    }
    var rest: UInt64 = 0
    while offset < count {
      rest = rest << 8 | UInt64(start.load(fromByteOffset: offset, as: UInt8.self))
      offset += 1
    }
    return both(rest, mix)
  }
}

extension Statement {
  /// Returns the hash of a value in the current row.
  package func mix(at column: Int32) -> UInt64 {
    ValueMix.value(sqlite3_column_value(handle, column))
  }
}
