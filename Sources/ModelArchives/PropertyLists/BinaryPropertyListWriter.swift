/// Writes a binary property list: the objects that `BinaryPropertyList` reads, the inner ones first.
///
/// Foundation's writer knows no references, and a keyed archive is made of them. The same calls give the
/// same bytes.
package struct BinaryPropertyListWriter {
  private var objects: [BinaryPropertyList.Object] = []
  private var numbers: [BinaryPropertyList.Object: Int] = [:]

  package init() {}

  /// The number of an object without members; objects with the same bytes are one.
  package mutating func plain(_ value: BinaryPropertyList.Object) -> Int {
    if let known = numbers[value] { return known }
    numbers[value] = objects.count
    return append(value)
  }

  package mutating func text(_ text: String) -> Int { plain(.string(text)) }

  /// - Parameter members: their numbers.
  package mutating func array(_ members: [Int]) -> Int { append(.array(members)) }

  package mutating func dictionary(_ values: [(key: String, number: Int)]) -> Int {
    append(.dictionary(values.map { text($0.key) }, values.map(\.number)))
  }

  private mutating func append(_ object: BinaryPropertyList.Object) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  /// - Parameter top: the number of the outermost object.
  package func bytes(top: Int) -> [UInt8] { BinaryPropertyListBytes(objects, top: top).bytes }
}

extension BinaryPropertyList.Object {
  /// Whether both are written with the same bytes: `é` isn't `e` with a combining accent, and 0.0 isn't -0.0. The
  /// synthesized hash is the same for both, which fits the stricter equality.
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
