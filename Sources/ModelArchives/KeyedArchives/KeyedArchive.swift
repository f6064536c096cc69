#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `NSKeyedArchiver` has written: objects with a class and named values.
///
/// It may come from anybody. Objects are looked at one at a time, by whoever asks for them, and each
/// look is counted: what an archive costs is bounded by its size, however its objects refer to each
/// other.
package final class KeyedArchive {
  /// In bytes. The largest model that we have seen has 65 KB.
  package static let sizeLimit = 8 << 20
  /// How many values an object may have; those of Core Data have up to 20.
  package static let valueLimit = 1000

  let list: BinaryPropertyList
  /// The numbers that references count in.
  let objects: [Int]
  /// The names of values, numbered as they come: an archive repeats them in each object.
  private var nameIDs: [String: Int] = [:]
  private var nameIDsByNumber: [Int: Int] = [:]
  private var fields: [Int: [Field]] = [:]
  private var texts: [Int: String] = [:]
  /// How many values may still be looked at, and how many bytes and fields be kept.
  private var looks: Int
  private var room: Int
  private let rootIndex: Int

  private struct Field {
    var name: Int
    /// Its number in the list.
    var value: Int
  }

  package init(_ bytes: [UInt8]) throws(KeyedArchiveError) {
    guard bytes.count <= Self.sizeLimit else {
      throw KeyedArchiveError(.tooLarge(limit: Self.sizeLimit))
    }
    guard let list = BinaryPropertyList(bytes),
      let top = Self.value(of: "$top", in: list.top, list),
      let table = Self.value(of: "$objects", in: list.top, list),
      case .array(let objects)? = list[table]
    else { throw KeyedArchiveError(.notAnArchive) }
    guard let root = Self.value(of: "root", in: top, list), case .reference(let index)? = list[root]
    else { throw KeyedArchiveError(.missing, at: "$top.root", expected: "a reference") }
    guard objects.indices.contains(index) else {
      throw KeyedArchiveError(.dangling(index, objects: objects.count), at: "$top.root")
    }
    self.list = list
    self.objects = objects
    rootIndex = index
    // An honest archive holds each part once: the room is what that takes with some to spare.
    room = bytes.count * 4 + 4096
    looks = bytes.count * 64 + 65_536
  }

  /// - Parameter text: the archive in base64, in lines of any length.
  package convenience init(base64 text: String) throws(KeyedArchiveError) {
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw KeyedArchiveError(.notAnArchive)
    }
    try self.init(Array(data))
  }

  package var root: Object { Object(archive: self, index: rootIndex) }

  /// The number of a value of the two dictionaries around the objects.
  private static func value(of key: String, in number: Int, _ list: BinaryPropertyList) -> Int? {
    guard list.length(of: number) <= valueLimit,
      case .dictionary(let keys, let values)? = list[number]
    else { return nil }
    return zip(keys, values).first {
      list.length(of: $0.0) == key.utf8.count && list[$0.0] == .string(key)
    }?.1
  }

  func look(_ count: Int) throws(KeyedArchiveError) {
    looks -= count + 1
    guard looks >= 0 else { throw KeyedArchiveError(.entangled) }
  }

  private func keep(_ count: Int) throws(KeyedArchiveError) {
    room -= count
    guard room >= 0 else { throw KeyedArchiveError(.entangled) }
  }

  /// The number of an object's value; nil where it has none of that name.
  func value(of key: String, in index: Int) throws(KeyedArchiveError) -> Int? {
    let fields = try fields(of: index)
    try look(fields.count)
    guard let name = nameIDs[key] else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// The values of an object by name; empty for one that has none.
  private func fields(of index: Int) throws(KeyedArchiveError) -> [Field] {
    if let known = fields[index] { return known }
    let number = objects[index]
    let count = list.length(of: number)
    guard list.kind(of: number) == .dictionary else { return [] }
    guard count <= Self.valueLimit else {
      throw KeyedArchiveError(.tooManyValues(limit: Self.valueLimit), at: "$objects[\(index)]")
    }
    try keep(count)
    guard case .dictionary(let keys, let values)? = list[number] else {
      throw KeyedArchiveError(.damaged, at: "$objects[\(index)]", expected: "an object")
    }
    let found = try zip(keys, values).map { key, value throws(KeyedArchiveError) in
      Field(name: try nameID(of: key, in: index), value: value)
    }
    fields[index] = found
    return found
  }

  private func nameID(of key: Int, in index: Int) throws(KeyedArchiveError) -> Int {
    if let known = nameIDsByNumber[key] { return known }
    guard let name = try text(key) else {
      throw KeyedArchiveError(.damaged, at: "$objects[\(index)]", expected: "names of values")
    }
    let id = nameIDs[name] ?? nameIDs.count
    nameIDs[name] = id
    nameIDsByNumber[key] = id
    return id
  }

  /// Nil for what is no string. Each is read once, so that its users share it.
  func text(_ number: Int) throws(KeyedArchiveError) -> String? {
    if let known = texts[number] { return known }
    guard list.kind(of: number) == .string else { return nil }
    try keep(list.length(of: number))
    guard case .string(let text)? = list[number] else { return nil }
    texts[number] = text
    return text
  }

  func data(_ number: Int) throws(KeyedArchiveError) -> [UInt8]? {
    guard list.kind(of: number) == .data else { return nil }
    try keep(list.length(of: number))
    guard case .data(let bytes)? = list[number] else { return nil }
    return bytes
  }

  /// The members of an array of the list; nil for what is none.
  func members(_ number: Int) throws(KeyedArchiveError) -> [Int]? {
    try look(list.length(of: number))
    guard list.kind(of: number) == .array, case .array(let members)? = list[number] else {
      return nil
    }
    return members
  }
}

extension KeyedArchive.Object {
  /// The members of an array or a set; none where there is no value of that name.
  package func members(_ key: String) throws(KeyedArchiveError) -> [KeyedArchive.Value] {
    guard let object = try object(key) else { return [] }
    return try object.members
  }

  /// Its own members: it is an array or a set.
  package var members: [KeyedArchive.Value] {
    get throws(KeyedArchiveError) {
      guard isArray(try className) else { throw fault(expected: "an array or a set") }
      return try values("NS.objects")
    }
  }

  /// Its own members, all of them objects.
  package func memberObjects(expected: String) throws(KeyedArchiveError) -> [KeyedArchive.Object] {
    try members.enumerated().map { position, member throws(KeyedArchiveError) in
      guard case .object(let object) = member else {
        throw fault(member, at: "NS.objects[\(position)]", expected: expected)
      }
      return object
    }
  }

  package func isArray(_ className: String?) -> Bool {
    className.map(KeyedArchive.arrayClasses.contains) ?? false
  }

  /// Members that are objects, with what they should be for messages.
  package func objects(
    _ key: String, expected: String
  ) throws(KeyedArchiveError) -> [KeyedArchive.Object] {
    guard let list = try object(key) else { return [] }
    return try list.memberObjects(expected: expected)
  }

  package func texts(_ key: String) throws(KeyedArchiveError) -> [String] {
    try members(key).enumerated().map { position, member throws(KeyedArchiveError) in
      guard case .text(let text) = member else {
        throw fault(member, at: "\(key)[\(position)]", expected: "a text")
      }
      return text
    }
  }

  /// The keys and values of a dictionary, in its order; none where there is no value of that name.
  package func entries(
    _ key: String
  ) throws(KeyedArchiveError) -> [(key: String, value: KeyedArchive.Value)] {
    guard let object = try object(key) else { return [] }
    guard let entries = try object.entries else {
      throw fault(.object(object), at: key, expected: "a dictionary")
    }
    return entries
  }

  /// Its own keys and values; nil where it is no dictionary.
  package var entries: [(key: String, value: KeyedArchive.Value)]? {
    get throws(KeyedArchiveError) {
      switch try className {
      case "NSDictionary", "NSMutableDictionary":
        return try paired(try values("NS.keys"), try values("NS.objects"))
      case "NSKnownKeysDictionary1":
        // The keys stand in an object that dictionaries may share; unset values are nil.
        return try paired(
          try requiredObject("searchMapping").members("keys"), try members("values"))
      default: return nil
      }
    }
  }

  private func paired(
    _ keys: [KeyedArchive.Value], _ values: [KeyedArchive.Value]
  ) throws(KeyedArchiveError) -> [(key: String, value: KeyedArchive.Value)] {
    guard keys.count == values.count else { throw fault(expected: "as many keys as values") }
    return try zip(keys, values).map { key, value throws(KeyedArchiveError) in
      guard case .text(let name) = key else { throw fault(key, at: "NS.keys", expected: "texts") }
      return (name, value)
    }
  }

  /// The values of an array that stands in the object itself.
  private func values(_ key: String) throws(KeyedArchiveError) -> [KeyedArchive.Value] {
    guard let number = try archive.value(of: key, in: index) else {
      throw missing(key, expected: "an array")
    }
    guard let numbers = try archive.members(number) else {
      throw KeyedArchiveError(.damaged, at: place(of: key), expected: "an array")
    }
    return try numbers.enumerated().map { position, number throws(KeyedArchiveError) in
      try archive.value(number) { "\(place(of: key))[\(position)]" }
    }
  }
}

extension KeyedArchive {
  fileprivate static let arrayClasses: Set<String> = [
    "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
  ]
}
