package import PropertyLists

/// Writes what `NSKeyedArchiver` would: objects with a class and named values, which refer to each
/// other by number.
///
/// The same calls give the same bytes: values stand in the order in which they are given.
package struct KeyedArchiveWriter {
  /// An object of the archive.
  package struct Reference: Hashable, Sendable {
    fileprivate let number: Int

    package static let null = Reference(number: 0)
  }

  /// A named value of an object.
  package enum Field {
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case data([UInt8])
    case text(String)
    case object(Reference)
    case objects([Reference])
  }

  private enum Entry {
    case plain(BinaryPropertyList.Object)
    case object([(key: String, value: Field)], class: Reference)
    case classDescription([String])
  }

  /// How an archive writes nil.
  private static let null = "$null"

  private var entries: [Entry] = [.plain(.string(null))]
  private var shared: [BinaryPropertyList.Object: Reference] = [:]
  private var classes: [ArchivedClass: Reference] = [:]

  package init() {}

  /// A string, a number or data; what is equal is one object.
  package mutating func plain(_ value: BinaryPropertyList.Object) -> Reference {
    if let known = shared[value] { return known }
    let reference = reserve()
    if value == .string(Self.null) {
      // The bare text would be nil.
      fill(reference, .string, [("NS.string", .text(Self.null))])
    } else {
      entries[reference.number] = .plain(value)
    }
    shared[value] = reference
    return reference
  }

  /// A number for an object that others name before its values are known.
  package mutating func reserve() -> Reference {
    entries.append(.plain(.null))
    return Reference(number: entries.count - 1)
  }

  package mutating func fill(
    _ reference: Reference, _ class: ArchivedClass, _ values: [(key: String, value: Field)]
  ) {
    entries[reference.number] = .object(values, class: describe(`class`))
  }

  package mutating func object(
    _ class: ArchivedClass, _ values: [(key: String, value: Field)]
  ) -> Reference {
    let reference = reserve()
    fill(reference, `class`, values)
    return reference
  }

  private mutating func describe(_ class: ArchivedClass) -> Reference {
    if let known = classes[`class`] { return known }
    let reference = reserve()
    entries[reference.number] = .classDescription(`class`.names)
    classes[`class`] = reference
    return reference
  }

  /// The whole archive, whose outermost object is `root`.
  package func bytes(root: Reference) -> [UInt8] {
    var table = ObjectTable()
    let objects = table.array(entries.map { table.add($0) })
    let top = table.dictionary([("root", table.reference(root))])
    let number = table.dictionary([
      ("$version", table.plain(.integer(100_000))), ("$archiver", table.text("NSKeyedArchiver")),
      ("$top", top), ("$objects", objects),
    ])
    return BinaryPropertyListWriter.bytes(of: table.objects, top: number)
  }

  /// The objects of the property list below; plain ones that are equal are one.
  private struct ObjectTable {
    private(set) var objects: [BinaryPropertyList.Object] = []
    private var numbers: [BinaryPropertyList.Object: Int] = [:]

    mutating func add(_ entry: Entry) -> Int {
      switch entry {
      case .plain(let value): return plain(value)
      case .object(let values, let `class`):
        return dictionary(
          values.map { ($0.key, add($0.value)) } + [("$class", reference(`class`))])
      case .classDescription(let names):
        return dictionary([
          ("$classname", text(names[0])), ("$classes", array(names.map { text($0) })),
        ])
      }
    }

    private mutating func add(_ value: Field) -> Int {
      switch value {
      case .boolean(let flag): plain(.boolean(flag))
      case .integer(let number): plain(.integer(number))
      case .real(let number): plain(.real(number))
      case .data(let bytes): plain(.data(bytes))
      case .text(let text): plain(.string(text))
      case .object(let target): reference(target)
      case .objects(let targets): array(targets.map { reference($0) })
      }
    }

    mutating func text(_ text: String) -> Int { plain(.string(text)) }

    mutating func reference(_ target: Reference) -> Int { plain(.reference(target.number)) }

    mutating func array(_ members: [Int]) -> Int { append(.array(members)) }

    mutating func dictionary(_ values: [(key: String, number: Int)]) -> Int {
      append(.dictionary(values.map { text($0.key) }, values.map(\.number)))
    }

    mutating func plain(_ value: BinaryPropertyList.Object) -> Int {
      if let known = numbers[value] { return known }
      numbers[value] = objects.count
      return append(value)
    }

    private mutating func append(_ object: BinaryPropertyList.Object) -> Int {
      objects.append(object)
      return objects.count - 1
    }
  }
}
