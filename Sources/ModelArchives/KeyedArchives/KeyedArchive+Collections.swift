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
    var found: [KeyedArchive.Object] = []
    for (position, member) in try members.enumerated() {
      guard case .object(let object) = member else {
        throw fault(member, at: "NS.objects[\(position)]", expected: expected)
      }
      found.append(object)
    }
    return found
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
    var found: [String] = []
    for (position, member) in try members(key).enumerated() {
      guard case .text(let text) = member else {
        throw fault(member, at: "\(key)[\(position)]", expected: "a text")
      }
      found.append(text)
    }
    return found
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
    var entries: [(key: String, value: KeyedArchive.Value)] = []
    for (key, value) in zip(keys, values) {
      guard case .text(let name) = key else { throw fault(key, at: "NS.keys", expected: "texts") }
      entries.append((name, value))
    }
    return entries
  }

  /// The values of an array that stands in the object itself.
  private func values(_ key: String) throws(KeyedArchiveError) -> [KeyedArchive.Value] {
    guard let number = try archive.value(of: key, in: index) else {
      throw missing(key, expected: "an array")
    }
    guard let numbers = try archive.members(number) else {
      throw KeyedArchiveError(.damaged, at: place(of: key), expected: "an array")
    }
    var values: [KeyedArchive.Value] = []
    values.reserveCapacity(numbers.count)
    for (position, number) in numbers.enumerated() {
      values.append(try archive.value(number) { "\(place(of: key))[\(position)]" })
    }
    return values
  }
}

extension KeyedArchive {
  fileprivate static let arrayClasses: Set<String> = [
    "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
  ]
}
