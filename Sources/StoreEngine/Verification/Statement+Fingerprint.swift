import GRDBSQLite

extension Statement {
  /// The loop runs at SQLite's speed: nothing of a row outlives it.
  mutating func fingerprint() throws(StoreError) -> RowFingerprint {
    let width = Int(columnCount) - 1
    var result = RowFingerprint(width: max(width, 0))
    guard columnCount > 0 else { return result }
    while try step() {
      let key = Self.mixed(sqlite3_column_value(handle, 0))
      result.rows += 1
      result.keys &+= key
      for index in 0..<width {
        // Taken once past the connection's mutex, as in `copyRow`.
        let value = sqlite3_column_value(handle, Int32(truncatingIfNeeded: index + 1))
        guard sqlite3_value_type(value) != SQLITE_NULL else { continue }
        result.columns[index].values += 1
        result.columns[index].sum &+= Mix.both(Self.mixed(value), key)
      }
    }
    return result
  }

  /// A value with its storage class; numbers are alike when they are equal.
  @inline(__always)
  private static func mixed(_ value: OpaquePointer?) -> UInt64 {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER:
      return Mix.word(UInt64(bitPattern: sqlite3_value_int64(value)), Mix.integer)
    case SQLITE_FLOAT:
      let number = sqlite3_value_double(value)
      // SQLite itself stores a whole number as either, and compares them as equal.
      guard let whole = Int64(exactly: number) else { return Mix.word(number.bitPattern, Mix.real) }
      return Mix.word(UInt64(bitPattern: whole), Mix.integer)
    case SQLITE_TEXT:
      let text = UnsafeRawPointer(sqlite3_value_text(value))
      return Mix.bytes(text, count: Int(sqlite3_value_bytes(value)), Mix.text)
    case SQLITE_BLOB:
      let blob = sqlite3_value_blob(value)
      return Mix.bytes(blob, count: Int(sqlite3_value_bytes(value)), Mix.blob)
    default: return Mix.null
    }
  }
}

/// A fast mix of 64 bits, after wyhash: the halves of a 128-bit product. It proves against mistakes,
/// not against an adversary.
private enum Mix {
  static let integer: UInt64 = 0xA076_1D64_78BD_642F
  static let real: UInt64 = 0xE703_7ED1_A0B4_28DB
  static let text: UInt64 = 0x8EBC_6AF0_9C88_C6E3
  static let blob: UInt64 = 0x5899_65CC_7537_4CC3
  static let null: UInt64 = 0x1D8E_4E27_C47D_124F

  /// Different words give different results.
  @inline(__always)
  static func word(_ word: UInt64, _ seed: UInt64) -> UInt64 {
    var mix = word ^ seed
    mix = (mix ^ (mix >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mix = (mix ^ (mix >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return mix ^ (mix >> 33)
  }

  @inline(__always)
  static func both(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = (a ^ integer).multipliedFullWidth(by: b ^ real)
    return product.high ^ product.low
  }

  @inline(__always)
  static func bytes(_ start: UnsafeRawPointer?, count: Int, _ seed: UInt64) -> UInt64 {
    var mix = word(UInt64(truncatingIfNeeded: count), seed)
    guard let start else { return mix }
    var offset = 0
    while count - offset >= 8 {
      mix = both(start.loadUnaligned(fromByteOffset: offset, as: UInt64.self), mix)
      offset += 8
    }
    guard offset < count else { return mix }
    var rest: UInt64 = 0
    while offset < count {
      rest = rest << 8 | UInt64(start.load(fromByteOffset: offset, as: UInt8.self))
      offset += 1
    }
    return both(rest, mix)
  }
}
