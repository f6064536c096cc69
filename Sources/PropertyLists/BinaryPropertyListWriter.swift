/// Writes a binary property list: the objects that `BinaryPropertyList` reads, the inner ones first.
///
/// Foundation's writer knows no references, and a keyed archive is made of them. The same calls give the
/// same bytes.
package struct BinaryPropertyListWriter {
  private var objects: [BinaryPropertyList.Object] = []
  private var numbers: [BinaryPropertyList.Object: Int] = [:]

  package init() {}

  /// The number of an object without members; those that are equal are one.
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
