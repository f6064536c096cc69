/// Writes a binary property list. The members of a container must be added before the container.
///
/// Foundation's writer doesn't support references, which keyed archives require. Equal calls result in equal bytes.
package struct BinaryPropertyListWriter {
  private var objects: [BinaryPropertyList.Object] = []
  private var numbers: [BinaryPropertyList.Object: Int] = [:]

  package init() {}

  /// Adds an object without members, and returns its number. Objects with equal bytes share one number.
  package mutating func plain(_ value: BinaryPropertyList.Object) -> Int {
    if let known = numbers[value] { return known }
    numbers[value] = objects.count
    return append(value)
  }

  package mutating func text(_ text: String) -> Int { plain(.string(text)) }

  /// - Parameter members: The numbers of the members.
  package mutating func array(_ members: [Int]) -> Int { append(.array(members)) }

  package mutating func dictionary(_ values: [(key: String, number: Int)]) -> Int {
    append(.dictionary(values.map { text($0.key) }, values.map(\.number)))
  }

  private mutating func append(_ object: BinaryPropertyList.Object) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  /// - Parameter top: The number of the outermost object.
  package func bytes(top: Int) -> [UInt8] { BinaryPropertyListBytes(objects, top: top).bytes }
}

extension BinaryPropertyList.Object {
  /// Returns whether both are written with the same bytes: `é` isn't `e` with a combining accent, and 0.0 isn't -0.0.
  /// The synthesized hash is compatible with this stricter equality, because equal bytes result in equal hashes.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let one), .boolean(let two)): one == two
    case (.integer(let one), .integer(let two)): one == two
    case (.real(let one), .real(let two)), (.date(let one), .date(let two)):
      one.bitPattern == two.bitPattern
    case (.data(let one), .data(let two)): one == two
    case (.string(let one), .string(let two)): one.utf8.elementsEqual(two.utf8)
    case (.reference(let one), .reference(let two)): one == two
    case (.array(let one), .array(let two)): one == two
    case (.dictionary(let keys, let values), .dictionary(let others, let otherValues)):
      keys == others && values == otherValues
    default: false
    }
  }
}

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

  /// Appends the table with the offset of each object. Then appends the last 32 bytes: two sizes, the number of
  /// objects, the outermost object, and the location of the table.
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

  /// Appends an integer. An integer of eight bytes is signed, and a shorter one is unsigned.
  private mutating func append(integer: Int64) {
    let size = integer < 0 ? 8 : Self.size(of: Int(integer))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(UInt64(bitPattern: integer), size: size)
  }

  /// Appends a string in ASCII or, if it contains other characters, in UTF-16.
  private mutating func append(text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      append(kind: 0x50, count: text.utf8.count)
      bytes += text.utf8
    } else {
      append(kind: 0x60, count: text.utf16.count)
      for unit in text.utf16 { append(UInt64(unit), size: 2) }
    }
  }

  /// Appends the first byte of an object with its type and length. If the length is 15 or more, it is appended as an
  /// integer.
  private mutating func append(kind: UInt8, count: Int) {
    bytes.append(kind | UInt8(min(count, 0x0F)))
    if count >= 0x0F { append(integer: Int64(count)) }
  }

  private mutating func append(numbers: [Int]) {
    for number in numbers { append(UInt64(number), size: referenceSize) }
  }

  /// Appends a big-endian number. All numbers in the format are big-endian.
  private mutating func append(_ bits: UInt64, size: Int) {
    for index in (0..<size).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * index)))
    }
  }

  /// Returns the number of bytes that `number` requires: 1, 2, 4 or 8.
  private static func size(of number: Int) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
