#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An archive of `NSKeyedArchiver`: objects with a class and named values.
///
/// The archive can be from an unknown source. Objects are read on demand, and each access is counted. The maximum
/// number of accesses depends on the size of the archive, regardless of the references between its objects.
package final class KeyedArchive {
  /// The maximum size in bytes. The largest known model has 65 KB.
  package static let sizeLimit = 8 << 20
  /// The maximum number of an object's values. Core Data's objects have up to 20.
  package static let valueLimit = 1000

  /// The property list that contains the archive. Its objects are numbered.
  let list: BinaryPropertyList
  /// The number in `list` of each element of `$objects`. A reference is an index into this array.
  let objects: [Int]
  /// An ID for each name of a value. Fields contain the ID instead of the name, because an archive repeats the names in
  /// each object.
  private var nameIDs: [String: Int] = [:]
  /// The IDs, by the number in `list` of the string that contains the name.
  private var nameIDsByNumber: [Int: Int] = [:]
  /// The fields of the objects that were read, by the object's index in `objects`.
  private var fields: [Int: [Field]] = [:]
  /// The strings that were read, by their number in `list`.
  private var texts: [Int: String] = [:]
  /// The remaining number of accesses.
  private var looks: Int
  /// The remaining number of bytes and fields that can be kept in memory.
  private var room: Int
  private let rootIndex: Int

  private struct Field {
    /// The ID of the name.
    var name: Int
    /// The number of the value in `list`.
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
    // An archive of `NSKeyedArchiver` contains each part once. The limits are several times larger than it requires.
    room = bytes.count * 4 + 4096
    looks = bytes.count * 64 + 65_536
  }

  /// - Parameter text: The archive in base64, which can contain line breaks.
  package convenience init(base64 text: String) throws(KeyedArchiveError) {
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw KeyedArchiveError(.notAnArchive)
    }
    try self.init(Array(data))
  }

  package var root: Object { Object(archive: self, index: rootIndex) }

  /// Returns the number in `list` of a key's value. `number` is the outermost dictionary or `$top`.
  private static func value(of key: String, in number: Int, _ list: BinaryPropertyList) -> Int? {
    guard list.length(of: number) <= valueLimit,
      case .dictionary(let keys, let values)? = list[number]
    else { return nil }
    return zip(keys, values).first {
      list.length(of: $0.0) == key.utf8.count && list[$0.0] == .string(key)
    }?.1
  }

  /// Counts an access that compares `count` fields or members.
  func look(_ count: Int) throws(KeyedArchiveError) {
    looks -= count + 1
    guard looks >= 0 else { throw KeyedArchiveError(.entangled) }
  }

  /// Counts bytes or fields that are kept in memory.
  private func keep(_ count: Int) throws(KeyedArchiveError) {
    room -= count
    guard room >= 0 else { throw KeyedArchiveError(.entangled) }
  }

  /// Returns the number in `list` of an object's value, or nil if the object doesn't have the key.
  func value(of key: String, in index: Int) throws(KeyedArchiveError) -> Int? {
    let fields = try fields(of: index)
    try look(fields.count)
    guard let name = nameIDs[key] else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// Returns the fields of an object. Returns an empty array for an object without named values, such as a string.
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

  /// Returns the string with a number in `list`, or nil for another object. Each string is read only once.
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

  /// Returns the numbers in `list` of an array's members, or nil for another object.
  func members(_ number: Int) throws(KeyedArchiveError) -> [Int]? {
    try look(list.length(of: number))
    guard list.kind(of: number) == .array, case .array(let members)? = list[number] else {
      return nil
    }
    return members
  }
}

extension KeyedArchive.Object {
  /// Returns the members of the array or set for a key. If the key is missing, returns an empty array.
  package func members(_ key: String) throws(KeyedArchiveError) -> [KeyedArchive.Value] {
    guard let object = try object(key) else { return [] }
    return try object.members
  }

  /// The members of this array or set.
  package var members: [KeyedArchive.Value] {
    get throws(KeyedArchiveError) {
      guard isArray(try className) else { throw fault(expected: "an array or a set") }
      return try values("NS.objects")
    }
  }

  /// The members of this array or set, which must be objects.
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

  /// Returns the members of the array or set for a key, which must be objects. `expected` describes such an object in
  /// messages.
  package func objects(
    _ key: String, expected: String
  ) throws(KeyedArchiveError) -> [KeyedArchive.Object] {
    guard let list = try object(key) else { return [] }
    return try list.memberObjects(expected: expected)
  }

  package func texts(_ key: String) throws(KeyedArchiveError) -> [String] {
    try members(key).enumerated().map { position, member throws(KeyedArchiveError) in
      guard case .text(let text) = member else {
        throw fault(member, at: "\(key)[\(position)]", expected: "a string")
      }
      return text
    }
  }

  /// Returns the keys and values of the dictionary for a key, in the order of the archive. If the key is missing,
  /// returns an empty array.
  package func entries(
    _ key: String
  ) throws(KeyedArchiveError) -> [(key: String, value: KeyedArchive.Value)] {
    guard let object = try object(key) else { return [] }
    guard let entries = try object.entries else {
      throw fault(.object(object), at: key, expected: "a dictionary")
    }
    return entries
  }

  /// The keys and values of this dictionary, or nil for another object.
  package var entries: [(key: String, value: KeyedArchive.Value)]? {
    get throws(KeyedArchiveError) {
      switch try className {
      case "NSDictionary", "NSMutableDictionary":
        return try paired(try values("NS.keys"), try values("NS.objects"))
      case "NSKnownKeysDictionary1":
        // The keys are in an object that several dictionaries can share. The value of an unset key is nil.
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

  /// Returns the values of an array that is directly in the object.
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
