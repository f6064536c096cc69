/// The bytes of a table of objects.
struct BinaryPropertyListBytes {
  private(set) var bytes = Array("bplist00".utf8)
  private let referenceSize: Int

  init(_ objects: [BinaryPropertyList.Object], top: Int) {
    referenceSize = Self.size(of: objects.count)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      append(object)
    }
    appendTable(offsets, top: top)
  }

  /// Where each object begins; then the last 32 bytes: two sizes, how many, the outermost, where the
  /// table is.
  private mutating func appendTable(_ offsets: [Int], top: Int) {
    let table = bytes.count
    let offsetSize = Self.size(of: table)
    for offset in offsets { append(UInt64(offset), size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [offsets.count, top, table] { append(UInt64(number), size: 8) }
  }

  private mutating func append(_ object: BinaryPropertyList.Object) {
    switch object {
    case .null: bytes.append(0x00)
    case .boolean(let flag): bytes.append(flag ? 0x09 : 0x08)
    case .integer(let number): append(integer: number)
    case .real(let number):
      bytes.append(0x23)
      append(number.bitPattern, size: 8)
    case .date(let seconds):
      bytes.append(0x33)
      append(seconds.bitPattern, size: 8)
    case .data(let data):
      append(kind: 0x40, count: data.count)
      bytes += data
    case .string(let text): append(text: text)
    case .reference(let number):
      let size = Self.size(of: number)
      bytes.append(0x80 | UInt8(size - 1))
      append(UInt64(number), size: size)
    case .array(let members):
      append(kind: 0xA0, count: members.count)
      append(numbers: members)
    case .dictionary(let keys, let values):
      append(kind: 0xD0, count: keys.count)
      append(numbers: keys + values)
    }
  }

  /// Eight bytes are signed, fewer are not.
  private mutating func append(integer: Int64) {
    let size = integer < 0 ? 8 : Self.size(of: Int(integer))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(UInt64(bitPattern: integer), size: size)
  }

  /// A byte each where the text is ASCII, else UTF-16.
  private mutating func append(text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      append(kind: 0x50, count: text.utf8.count)
      bytes += text.utf8
    } else {
      append(kind: 0x60, count: text.utf16.count)
      for unit in text.utf16 { append(UInt64(unit), size: 2) }
    }
  }

  /// 15 stands for a length that follows as an integer of its own.
  private mutating func append(kind: UInt8, count: Int) {
    bytes.append(kind | UInt8(min(count, 0x0F)))
    if count >= 0x0F { append(integer: Int64(count)) }
  }

  private mutating func append(numbers: [Int]) {
    for number in numbers { append(UInt64(number), size: referenceSize) }
  }

  /// Big-endian, as everything in the format.
  private mutating func append(_ bits: UInt64, size: Int) {
    for index in (0..<size).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * index)))
    }
  }

  /// How many bytes a number takes: 1, 2, 4 or 8.
  private static func size(of number: Int) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
