import ModelArchives
import RecordFormats
import StorePredicate

/// The content of a Transformable or other data if it is plain: a property list or a keyed archive that contains only
/// texts, numbers, Booleans, dates, data, lists and dictionaries. Objects of other classes aren't plain.
struct PlainValue {
  /// The maximum depth of nested lists and dictionaries.
  private static let depthLimit = 32
  private static let countLimit = 20_000
  /// The maximum number of bytes of texts and data, because a list can refer to a long text many times.
  private static let byteLimit = 2 << 20

  private var count = 0
  private var bytes = 0

  /// Returns the content as JSON; nil if it isn't plain or exceeds a limit.
  static func json(of bytes: [UInt8]) -> JSONValue? {
    var reader = PlainValue()
    do {
      return try reader.json(of: KeyedArchive(bytes).rootValue, depth: 0)
    } catch is KeyedArchiveError {
      guard let list = BinaryPropertyList(bytes) else { return nil }
      do { return try reader.json(of: list.top, in: list, depth: 0) } catch { return nil }
    } catch {
      return nil
    }
  }

  private struct NotPlain: Error {}

  private mutating func look(_ depth: Int) throws {
    count += 1
    if depth > Self.depthLimit || count > Self.countLimit { throw NotPlain() }
  }

  private mutating func look(bytes count: Int) throws {
    bytes += count
    if bytes > Self.byteLimit { throw NotPlain() }
  }

  private mutating func json(of text: String) throws -> JSONValue {
    try look(bytes: text.utf8.count)
    return JSONValue(.string(text))
  }

  private mutating func json(of data: [UInt8]) throws -> JSONValue {
    try look(bytes: data.count)
    return JSONValue(.string(data.base64))
  }

  // MARK: Archives

  private mutating func json(of value: KeyedArchive.Value, depth: Int) throws -> JSONValue {
    try look(depth)
    switch value {
    case .null: return .null
    case .boolean(let flag): return JSONValue(.boolean(flag))
    case .integer(let number): return JSONValue(.number("\(number)"))
    case .real(let number): return Self.json(of: number)
    case .date(let seconds): return JSONValue(.string(ISODate.text(seconds) ?? "\(seconds)"))
    case .data(let data): return try json(of: data)
    case .text(let text): return try json(of: text)
    case .object(let object): return try json(of: object, depth: depth)
    }
  }

  private mutating func json(of object: KeyedArchive.Object, depth: Int) throws -> JSONValue {
    if object.isArray(try object.className) {
      return JSONValue(.array(try object.members.map { try json(of: $0, depth: depth + 1) }))
    }
    guard let entries = try object.entries else { throw NotPlain() }
    return JSONValue(
      .object(
        try entries.map {
          try look(bytes: $0.key.utf8.count)
          return JSONValue.Member(key: $0.key, value: try json(of: $0.value, depth: depth + 1))
        }))
  }

  private static func json(of number: Double) -> JSONValue {
    number.isFinite ? JSONValue(.number("\(number)")) : JSONValue(.string("\(number)"))
  }

  // MARK: Property lists

  private mutating func json(
    of number: Int, in list: BinaryPropertyList, depth: Int
  ) throws -> JSONValue {
    try look(depth)
    switch list[number] {
    case .null: return .null
    case .boolean(let flag): return JSONValue(.boolean(flag))
    case .integer(let number): return JSONValue(.number("\(number)"))
    case .real(let number): return Self.json(of: number)
    case .date(let seconds): return JSONValue(.string(ISODate.text(seconds) ?? "\(seconds)"))
    case .data(let data): return try json(of: data)
    case .string(let text): return try json(of: text)
    case .array(let members):
      return JSONValue(.array(try members.map { try json(of: $0, in: list, depth: depth + 1) }))
    case .dictionary(let keys, let values):
      return JSONValue(
        .object(
          try zip(keys, values).map { key, value in
            guard case .string(let name)? = list[key] else { throw NotPlain() }
            try look(bytes: name.utf8.count)
            return JSONValue.Member(
              key: name, value: try json(of: value, in: list, depth: depth + 1))
          }))
    // A reference isn't part of a property list, and nil isn't a valid value.
    case .reference, nil: throw NotPlain()
    }
  }
}
