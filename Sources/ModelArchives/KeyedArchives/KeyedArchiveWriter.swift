/// Writes an archive like `NSKeyedArchiver`: objects with a class and named values, which refer to each other by
/// number.
///
/// Equal calls result in equal bytes, because values have the order of the calls.
package struct KeyedArchiveWriter {
  /// A reference to an object of the archive.
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

  fileprivate enum Entry {
    case plain(BinaryPropertyList.Object)
    case object([(key: String, value: Field)], class: Reference)
    case classDescription([String])
  }

  /// The string that represents nil.
  private static let null = "$null"

  private var entries: [Entry] = [.plain(.string(null))]
  private var shared: [BinaryPropertyList.Object: Reference] = [:]
  private var classes: [ClassChain: Reference] = [:]

  package init() {}

  /// Writes a string, a number or data. Equal values share one object.
  package mutating func plain(_ value: BinaryPropertyList.Object) -> Reference {
    if let known = shared[value] { return known }
    let reference = reserve()
    if value == .string(Self.null) {
      // A plain string `$null` would mean nil.
      fill(reference, .string, [("NS.string", .text(Self.null))])
    } else {
      entries[reference.number] = .plain(value)
    }
    shared[value] = reference
    return reference
  }

  /// Returns a reference to a new object, whose values are set later by `fill`.
  package mutating func reserve() -> Reference {
    entries.append(.plain(.null))
    return Reference(number: entries.count - 1)
  }

  package mutating func fill(
    _ reference: Reference, _ class: ClassChain, _ values: [(key: String, value: Field)]
  ) {
    entries[reference.number] = .object(values, class: describe(`class`))
  }

  package mutating func object(
    _ class: ClassChain, _ values: [(key: String, value: Field)]
  ) -> Reference {
    let reference = reserve()
    fill(reference, `class`, values)
    return reference
  }

  private mutating func describe(_ class: ClassChain) -> Reference {
    if let known = classes[`class`] { return known }
    let reference = reserve()
    entries[reference.number] = .classDescription(`class`.names)
    classes[`class`] = reference
    return reference
  }

  /// Returns the bytes of the archive, with `root` as the root object.
  package func bytes(root: Reference) -> [UInt8] {
    var list = BinaryPropertyListWriter()
    let objects = list.array(entries.map { list.add($0) })
    let top = list.dictionary([("root", list.add(root))])
    let number = list.dictionary([
      ("$version", list.plain(.integer(100_000))), ("$archiver", list.text("NSKeyedArchiver")),
      ("$top", top), ("$objects", objects),
    ])
    return list.bytes(top: number)
  }
}

extension BinaryPropertyListWriter {
  fileprivate mutating func add(_ entry: KeyedArchiveWriter.Entry) -> Int {
    switch entry {
    case .plain(let value): return plain(value)
    case .object(let fields, let `class`):
      return dictionary(fields.map { ($0.key, add($0.value)) } + [("$class", add(`class`))])
    case .classDescription(let names):
      return dictionary([
        ("$classname", text(names[0])), ("$classes", array(names.map { text($0) })),
      ])
    }
  }

  private mutating func add(_ field: KeyedArchiveWriter.Field) -> Int {
    switch field {
    case .boolean(let flag): plain(.boolean(flag))
    case .integer(let number): plain(.integer(number))
    case .real(let number): plain(.real(number))
    case .data(let bytes): plain(.data(bytes))
    case .text(let text): self.text(text)
    case .object(let target): add(target)
    case .objects(let targets): array(targets.map { add($0) })
    }
  }

  fileprivate mutating func add(_ target: KeyedArchiveWriter.Reference) -> Int {
    plain(.reference(target.number))
  }
}

/// Functions that write objects of Foundation's classes.
extension KeyedArchiveWriter {
  package mutating func string(_ text: String) -> Reference { plain(.string(text)) }

  /// Writes an array or a set, depending on the class.
  package mutating func collection(
    _ members: [Reference], as class: ClassChain = .array
  ) -> Reference {
    object(`class`, [("NS.objects", .objects(members))])
  }

  package mutating func dictionary(
    _ entries: [(key: String, value: Reference)], as class: ClassChain = .mutableDictionary
  ) -> Reference {
    let reference = reserve()
    let keys = entries.map { string($0.key) }
    fill(
      reference, `class`,
      [("NS.keys", .objects(keys)), ("NS.objects", .objects(entries.map(\.value)))])
    return reference
  }

  /// - Parameter seconds: The seconds since 2001-01-01 00:00 UTC.
  package mutating func date(_ seconds: Double) -> Reference {
    object(.date, [("NS.time", .real(seconds))])
  }

  /// - Parameter bytes: 16 bytes.
  package mutating func uuid(_ bytes: [UInt8]) -> Reference {
    object(.uuid, [("NS.uuidbytes", .data(bytes))])
  }

  package mutating func url(_ text: String) -> Reference {
    object(.url, [("NS.base", .object(.null)), ("NS.relative", .object(string(text)))])
  }

  /// Writes the number mantissa × 10 ^ exponent.
  package mutating func decimal(
    mantissa: UInt64, exponent: Int, isNegative: Bool
  ) -> Reference {
    // The mantissa has eight units of 16 bits, the least significant unit first. `NS.length` is the number of used
    // units.
    let units = (64 - mantissa.leadingZeroBitCount + 15) / 16
    let bytes = (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: mantissa >> (8 * $0)) : 0 }
    return object(
      .decimal,
      [
        ("NS.exponent", .integer(Int64(exponent))), ("NS.length", .integer(Int64(units))),
        ("NS.negative", .boolean(isNegative)), ("NS.compact", .boolean(true)),
        ("NS.mantissa.bo", .integer(1)), ("NS.mantissa", .data(bytes)),
      ])
  }
}

/// A class with its ancestors in an archive.
package struct ClassChain: Hashable, Sendable {
  /// The names, beginning with the class itself.
  package let names: [String]
  /// The name of the class itself.
  var name: String { names[0] }

  /// - Parameter ancestors: The ancestors, beginning with the superclass, without `NSObject`.
  package init(_ name: String, _ ancestors: String...) {
    names = [name] + ancestors + ["NSObject"]
  }

  package static let array = ClassChain("NSArray")
  package static let mutableArray = ClassChain("NSMutableArray", "NSArray")
  package static let set = ClassChain("NSSet")
  package static let dictionary = ClassChain("NSDictionary")
  package static let mutableDictionary = ClassChain("NSMutableDictionary", "NSDictionary")
  package static let string = ClassChain("NSString")
  package static let date = ClassChain("NSDate")
  package static let uuid = ClassChain("NSUUID")
  package static let url = ClassChain("NSURL")
  package static let decimal = ClassChain("NSDecimalNumber", "NSNumber", "NSValue")
}
