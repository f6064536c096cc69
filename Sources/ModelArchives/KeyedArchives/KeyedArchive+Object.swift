extension KeyedArchive {
  /// An element of the array `$objects` of an archive.
  package struct Object {
    let archive: KeyedArchive
    package let index: Int

    /// The location for messages.
    package var place: String { "$objects[\(index)]" }
  }

  /// The value of a key.
  package enum Value {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case data([UInt8])
    case text(String)
    /// An object with its own values.
    case object(Object)
  }
}

extension KeyedArchive.Object {
  /// The name of the object's class, or nil if it is missing, for example because the object itself describes a class.
  package var className: String? {
    get throws(KeyedArchiveError) {
      guard let number = try archive.value(of: "$class", in: index) else { return nil }
      let type = try archive.object(of: number, at: "\(place).$class")
      // The name must be a text in the class itself. A reference isn't followed, because it could lead to another
      // object's class.
      guard let name = try archive.value(of: "$classname", in: type.index) else { return nil }
      return try archive.text(name)
    }
  }

  /// Returns whether the object has a value for a key.
  package func has(_ key: String) throws(KeyedArchiveError) -> Bool {
    try archive.value(of: key, in: index) != nil
  }

  /// Returns the value of a key, or `null` if it is missing.
  package func value(_ key: String) throws(KeyedArchiveError) -> KeyedArchive.Value {
    guard let number = try archive.value(of: key, in: index) else { return .null }
    return try archive.value(number) { place(of: key) }
  }

  package func text(_ key: String) throws(KeyedArchiveError) -> String? {
    switch try value(key) {
    case .null: return nil
    case .text(let text): return text
    case let other: throw fault(other, at: key, expected: "a string")
    }
  }

  package func requiredText(_ key: String) throws(KeyedArchiveError) -> String {
    guard let text = try text(key) else { throw missing(key, expected: "a string") }
    return text
  }

  package func integer(_ key: String) throws(KeyedArchiveError) -> Int64? {
    switch try value(key) {
    case .null: return nil
    case .integer(let number): return number
    case .boolean(let flag): return flag ? 1 : 0
    case let other: throw fault(other, at: key, expected: "a whole number")
    }
  }

  /// Returns the Boolean value of a key, or false if it is missing.
  package func flag(_ key: String) throws(KeyedArchiveError) -> Bool {
    switch try value(key) {
    case .null: return false
    case .boolean(let flag): return flag
    case .integer(let number): return number != 0
    case let other: throw fault(other, at: key, expected: "YES or NO")
    }
  }

  package func object(_ key: String) throws(KeyedArchiveError) -> KeyedArchive.Object? {
    switch try value(key) {
    case .null: return nil
    case .object(let object): return object
    case let other: throw fault(other, at: key, expected: "an object")
    }
  }

  package func requiredObject(_ key: String) throws(KeyedArchiveError) -> KeyedArchive.Object {
    guard let object = try object(key) else { throw missing(key, expected: "an object") }
    return object
  }

  // MARK: Errors

  package func place(of key: String) -> String { "\(place).\(key)" }

  package func missing(_ key: String, expected: String) -> KeyedArchiveError {
    KeyedArchiveError(.missing, at: place(of: key), expected: expected)
  }

  /// Returns the error for a value of a wrong type.
  package func fault(
    _ value: KeyedArchive.Value, at key: String, expected: String
  ) -> KeyedArchiveError {
    unexpected(value.kindName, at: key, expected: expected)
  }

  /// Returns the error for an object that isn't the expected one.
  package func fault(expected: String) -> KeyedArchiveError {
    unexpected(KeyedArchive.Value.object(self).kindName, expected: expected)
  }

  /// Returns the error for the content `found` of the object, or of the value of `key`.
  func unexpected(
    _ found: String, at key: String? = nil, expected: String
  ) -> KeyedArchiveError {
    KeyedArchiveError(
      .unexpected(found), at: key.map(place(of:)) ?? place, expected: expected)
  }
}

extension KeyedArchive.Value {
  /// The type of the value in messages.
  package var kindName: String {
    switch self {
    case .null: return "nil"
    case .boolean: return "YES or NO"
    case .integer: return "a whole number"
    case .real: return "a number"
    case .date: return "a date"
    case .data: return "data"
    case .text: return "a string"
    case .object(let object):
      // If the class can't be read, the error is reported by code that requires the class.
      guard
        case .success(let name?) = Result(catching: { () throws(KeyedArchiveError) in
          try object.className
        })
      else { return "an object without a class" }
      return "an object of class '\(name)'"
    }
  }
}

extension KeyedArchive {
  /// The value of the root object, which can be a text, a number or an object with values.
  package var rootValue: Value {
    get throws(KeyedArchiveError) { try value(of: root) { root.place } }
  }

  /// Returns the value of the object with this number in the property list. If the object is a reference, returns the
  /// value of its target in `$objects`.
  func value(
    _ number: Int, at place: () -> String
  ) throws(KeyedArchiveError) -> Value {
    try look(0)
    guard list.kind(of: number) == .reference else { return try plain(number, at: place) }
    let object = try object(of: number, at: place())
    return try value(of: object, at: place)
  }

  private func value(
    of object: Object, at place: () -> String
  ) throws(KeyedArchiveError) -> Value {
    // A reference to the first object represents nil.
    guard object.index != 0 else { return .null }
    let target = objects[object.index]
    guard list.kind(of: target) == .dictionary else {
      let value = try plain(target, at: place)
      if case .text("$null") = value { return .null }
      return value
    }
    return try Self.unwrapped(object)
  }

  func object(
    of number: Int, at place: @autoclosure () -> String
  ) throws(KeyedArchiveError) -> Object {
    guard case .reference(let index)? = list.kind(of: number) == .reference ? list[number] : nil
    else {
      throw KeyedArchiveError(.damaged, at: place(), expected: "a reference")
    }
    guard objects.indices.contains(index) else {
      throw KeyedArchiveError(.dangling(index, objects: objects.count), at: place())
    }
    return Object(archive: self, index: index)
  }

  /// Returns the value of an object in the property list that isn't a reference or a container.
  private func plain(
    _ number: Int, at place: () -> String
  ) throws(KeyedArchiveError) -> Value {
    if let text = try text(number) { return .text(text) }
    if let bytes = try data(number) { return .data(bytes) }
    switch list.kind(of: number) == .scalar ? list[number] : nil {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .date(let seconds): return .date(seconds)
    case .data, .string, .reference, .array, .dictionary, nil:
      throw KeyedArchiveError(.damaged, at: place(), expected: "a value")
    }
  }

  /// Returns the content of an object if its class is one of Foundation's classes for texts, dates, data or null, and
  /// otherwise the object.
  private static func unwrapped(_ object: Object) throws(KeyedArchiveError) -> Value {
    switch try object.className {
    case "NSString", "NSMutableString": return try object.inner("NS.string")
    case "NSDate": return .date(try object.seconds("NS.time"))
    case "NSData", "NSMutableData": return try object.inner("NS.data")
    case "NSNull": return .null
    default: return .object(object)
    }
  }
}

extension KeyedArchive.Object {
  /// Returns the text or the data of a key. A reference isn't followed, because references could form a chain.
  fileprivate func inner(_ key: String) throws(KeyedArchiveError) -> KeyedArchive.Value {
    guard let number = try archive.value(of: key, in: index) else {
      throw missing(key, expected: "a text or data")
    }
    if let text = try archive.text(number) { return .text(text) }
    if let bytes = try archive.data(number) { return .data(bytes) }
    throw KeyedArchiveError(.damaged, at: place(of: key), expected: "a text or data")
  }

  fileprivate func seconds(_ key: String) throws(KeyedArchiveError) -> Double {
    guard let number = try archive.value(of: key, in: index) else {
      throw missing(key, expected: "a number")
    }
    switch archive.list.kind(of: number) == .scalar ? archive.list[number] : nil {
    case .real(let seconds): return seconds
    case .integer(let seconds): return Double(seconds)
    default: throw KeyedArchiveError(.damaged, at: place(of: key), expected: "a number")
    }
  }
}
