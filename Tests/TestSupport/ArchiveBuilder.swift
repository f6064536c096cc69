/// Creates keyed archives object by object, including archives that no archiver would write.
public struct ArchiveBuilder {
  public indirect enum Part: Sendable {
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case data([UInt8])
    case reference(Int)
    case array([Part])
    case dictionary([(String, Part)])
  }

  /// The objects. The first one is `$null`.
  public private(set) var objects: [Part] = [.text("$null")]
  private var classes: [String: Part] = [:]

  public static let null = Part.reference(0)

  public init() {}

  /// Reserves the position of an object that others refer to before it is added.
  public mutating func reserve() -> Int {
    objects.append(.text("$null"))
    return objects.count - 1
  }

  public mutating func add(_ part: Part) -> Part {
    objects.append(part)
    return .reference(objects.count - 1)
  }

  public mutating func text(_ text: String) -> Part { add(.text(text)) }

  /// - Parameter values: the values. If two have the same name, the later one is used.
  @discardableResult
  public mutating func object(
    _ className: String, _ values: [(String, Part)], at index: Int? = nil
  ) -> Part {
    let type = classReference(className)
    let place = index ?? reserve()
    var own: [(String, Part)] = []
    for (name, value) in values {
      own.removeAll { $0.0 == name }
      own.append((name, value))
    }
    objects[place] = .dictionary(own + [("$class", type)])
    return .reference(place)
  }

  public mutating func list(_ members: [Part], _ className: String = "NSArray") -> Part {
    object(className, [("NS.objects", .array(members))])
  }

  public mutating func map(_ entries: [(String, Part)]) -> Part {
    let keys = entries.map { text($0.0) }
    return object(
      "NSDictionary", [("NS.keys", .array(keys)), ("NS.objects", .array(entries.map(\.1)))])
  }

  private mutating func classReference(_ name: String) -> Part {
    if let known = classes[name] { return known }
    let names = Part.array([.text(name), .text("NSObject")])
    let type = add(.dictionary([("$classname", .text(name)), ("$classes", names)]))
    classes[name] = type
    return type
  }

  /// The archive, a binary property list.
  public func bytes(root: Part) -> [UInt8] {
    var writer = PropertyListWriter()
    let top = writer.write(
      .dictionary([
        ("$archiver", .text("NSKeyedArchiver")), ("$version", .integer(100_000)),
        ("$top", .dictionary([("root", root)])), ("$objects", .array(objects)),
      ]))
    return writer.finished(top: top)
  }
}

/// Returns a binary property list with references of four bytes. Equal texts are written once.
private struct PropertyListWriter {
  private var objects: [[UInt8]] = []
  private var texts: [[UInt8]: Int] = [:]

  mutating func write(_ part: ArchiveBuilder.Part) -> Int {
    if case .text(let text) = part, let known = texts[Array(text.utf8)] { return known }
    let bytes = encode(part)
    objects.append(bytes)
    if case .text(let text) = part { texts[Array(text.utf8)] = objects.count - 1 }
    return objects.count - 1
  }

  private mutating func encode(_ part: ArchiveBuilder.Part) -> [UInt8] {
    switch part {
    case .flag(let flag): return [flag ? 0x09 : 0x08]
    case .integer(let number): return [0x13] + Self.bytes(UInt64(bitPattern: number))
    case .real(let number): return [0x23] + Self.bytes(number.bitPattern)
    case .text(let text):
      let units = Array(text.utf16)
      return Self.header(0x60, units.count) + units.flatMap { Self.bytes($0) }
    case .data(let bytes): return Self.header(0x40, bytes.count) + bytes
    case .reference(let index): return [0x83] + Self.bytes(UInt32(index))
    case .array(let members):
      return Self.header(0xA0, members.count) + members.flatMap { Self.bytes(UInt32(write($0))) }
    case .dictionary(let entries):
      let keys = entries.map { write(.text($0.0)) }
      let values = entries.map { write($0.1) }
      return Self.header(0xD0, entries.count)
        + (keys + values).flatMap { Self.bytes(UInt32($0)) }
    }
  }

  private static func header(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0F, 0x12] + bytes(UInt32(count))
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  func finished(top: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    bytes += offsets.flatMap { Self.bytes(UInt32($0)) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 4]
    bytes += Self.bytes(UInt64(objects.count)) + Self.bytes(UInt64(top))
    return bytes + Self.bytes(UInt64(table))
  }
}
