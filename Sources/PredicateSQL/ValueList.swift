import RecordFormats
import SQLiteAccess

/// A list of constants that is too long for separate parameters. SQLite allows at most 32766 parameters.
///
/// The list is bound as one value, and a sub-select splits it into rows, which SQLite collects once in a temporary
/// sorted table. SQLite can then find each value by an index on the compared column. With 10,000 separate values, it
/// scanned a table of a million rows instead. Lists of integers and texts are bound as JSON:
///
///     x IN (SELECT value FROM json_each('[1,2,3]'))
///
/// JSON can't represent bytes. SQLite reads some reals from JSON with a wrong last bit, and texts only up to a NUL
/// character. Lists with bytes, reals, NULL or such texts are therefore bound as a blob, from which the function
/// `LIST_VALUE(list, i)` reads the value with the index i:
///
///     x IN (WITH RECURSIVE item(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM item WHERE i < 4999)
///           SELECT LIST_VALUE(list, i) FROM item)
///
/// The blob begins with the offset of each value in 4 bytes. The values follow, each as a byte for its storage class,
/// the length of text or bytes, and its content. All numbers are little-endian.
struct ValueList {
  /// The maximum number of values that are bound separately.
  static let inlineLimit = 250

  let values: [SQLiteValue]

  /// A sub-select with a row for each value.
  var rows: SQL {
    if let json { return "SELECT value FROM json_each(\(value: .text(json)))" }
    return """
      WITH RECURSIVE item(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM item \
      WHERE i < \(.number(Int64(values.count - 1)))) \
      SELECT LIST_VALUE(\(value: .blob(bytes)), i) AS value FROM item
      """
  }

  /// The list as JSON; nil if JSON can't represent all values.
  private var json: String? {
    var buffer = ByteBuffer()
    for value in values {
      buffer.append(buffer.isEmpty ? "[" : ",")
      switch value {
      case .integer(let number): buffer.append(decimal: number)
      case .text(var text):
        guard !text.utf8.contains(0) else { return nil }
        text.withUTF8 { buffer.append(jsonString: $0) }
      case .null, .real, .blob: return nil
      }
    }
    buffer.append("]")
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private var bytes: [UInt8] {
    var offsets: [UInt8] = []
    var content: [UInt8] = []
    for value in values {
      Self.append(UInt32(values.count * 4 + content.count), to: &offsets)
      Self.append(value, to: &content)
    }
    return offsets + content
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private static func append(_ value: SQLiteValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(0)
    case .integer(let number):
      bytes.append(1)
      append(number, to: &bytes)
    case .real(let number):
      bytes.append(2)
      append(number.bitPattern, to: &bytes)
    case .text(let text):
      bytes.append(3)
      append(UInt32(text.utf8.count), to: &bytes)
      bytes += text.utf8
    case .blob(let blob):
      bytes.append(4)
      append(UInt32(blob.count), to: &bytes)
      bytes += blob
    }
  }

  /// Returns the value at an index of a list in a blob, or nil if the blob isn't a list or is too short.
  static func value(at index: Int, in bytes: UnsafeRawBufferPointer) -> SQLiteValue? {
    guard index >= 0, let offset: UInt32 = number(at: index * 4, in: bytes),
      Int(offset) < bytes.count
    else { return nil }
    let start = Int(offset) + 1
    switch bytes[Int(offset)] {
    case 0: return .null
    case 1: return number(at: start, in: bytes).map { .integer($0) }
    case 2: return number(at: start, in: bytes).map { .real(Double(bitPattern: $0)) }
    case 3: return run(at: start, in: bytes).map { .text(String(decoding: $0, as: UTF8.self)) }
    case 4: return run(at: start, in: bytes).map { .blob(Array($0)) }
    default: return nil
    }
  }

  private static func number<Number: FixedWidthInteger>(
    at offset: Int, in bytes: UnsafeRawBufferPointer
  ) -> Number? {
    guard offset + MemoryLayout<Number>.size <= bytes.count else { return nil }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  private static func run(
    at offset: Int, in bytes: UnsafeRawBufferPointer
  ) -> Slice<UnsafeRawBufferPointer>? {
    guard let length: UInt32 = number(at: offset, in: bytes) else { return nil }
    let start = offset + 4
    guard start + Int(length) <= bytes.count else { return nil }
    return bytes[start..<start + Int(length)]
  }
}
