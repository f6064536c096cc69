extension PredicateEvaluator {
  /// Returns the value of a key path. A key after a collection is read from each member, and the results are joined to
  /// one collection.
  ///
  /// - Parameter hasMissing: whether `items.owner` includes a null for an item without an owner, as ANY and ALL
  ///   require.
  func follow(
    _ steps: ArraySlice<KeyPathStep>, from start: EvaluatedValue, hasMissing: Bool = false
  ) throws(EvaluationError) -> EvaluatedValue {
    var value = start
    var rest = steps
    while let step = rest.popFirst() {
      switch step.kind {
      case .collection(let function): return try fold(function, value, over: rest, at: step.range)
      case .key(let key):
        value = try follow(key, of: value, before: &rest, at: step.range, hasMissing: hasMissing)
      }
    }
    return value
  }

  private func follow(
    _ key: String, of value: EvaluatedValue, before rest: inout ArraySlice<KeyPathStep>,
    at range: TextRange, hasMissing: Bool = true
  ) throws(EvaluationError) -> EvaluatedValue {
    switch value {
    case .value(.null): return .null
    case .value(.objectID(let id)):
      guard let object = object(id) else {
        throw EvaluationError(.unknownObject(id), at: range)
      }
      return try follow(key, of: object, before: &rest, at: range)
    case .value(let plain):
      guard let found = plain.value(forKey: key) else {
        throw EvaluationError(.unknownKey(key, entity: nil), at: range)
      }
      return .value(found)
    case .dictionary(let values):
      return values[key] ?? (key == "self" ? value : .null)
    case .object(let object):
      return try follow(key, of: object, before: &rest, at: range)
    case .list(let members), .set(let members):
      if key == "self" { return value }
      var found: [EvaluatedValue] = []
      var behind = rest
      var isOrdered = true
      for member in members {
        behind = rest
        let result = try follow(key, of: member, before: &behind, at: range)
        let isEnd = behind.first?.key == nil
        if isEnd, !hasMissing, result.isNull, isMissing(key, of: member) { continue }
        found += result.collected ?? [result]
        // If one of the joined collections is unordered, the result is unordered.
        if case .set = result { isOrdered = false }
      }
      rest = behind
      return isOrdered ? value.replacingMembers(found) : .set(found)
    }
  }

  /// Returns whether a null for the key is a missing object. With Foundation's logic, the result is false.
  private func isMissing(_ key: String, of member: EvaluatedValue) -> Bool {
    guard nulls == .sql, case .object(let object) = member else { return false }
    return object.leadsToObject(key)
  }

  private func follow(
    _ key: String, of object: any PredicateObject, before rest: inout ArraySlice<KeyPathStep>,
    at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    if let value = object.value(forKey: key) {
      guard value.isNull, nulls == .sql, !rest.isEmpty else { return value }
      let keys = [key] + rest.prefix { $0.key != nil }.compactMap(\.key)
      // An empty list also represents an empty unordered collection.
      return object.leadsThroughToMany(keys) ? .list([]) : .null
    }
    switch key {
    case "self": return .object(object)
    case "objectID": return object.objectID.map { .value(.objectID($0)) } ?? .null
    case "entity":
      // The value of `entity` is its name, so `entity.name` has the same meaning.
      if rest.first?.kind == .key("name") { rest.removeFirst() }
      return object.entityName.map { .value(.string($0)) } ?? .null
    default: throw EvaluationError(.unknownKey(key, entity: object.entityName), at: range)
    }
  }
}

extension EvaluatedValue {
  /// The members of a list or set. A dictionary is treated as an object.
  fileprivate var collected: [EvaluatedValue]? {
    switch self {
    case .list(let members), .set(let members): members
    case .value, .object, .dictionary: nil
    }
  }
}

extension DataValue {
  /// Returns the value of a key that Foundation's own types support, such as `length`, or nil for other keys.
  fileprivate func value(forKey key: String) -> DataValue? {
    switch (key, self) {
    case ("self", _): self
    case ("description", _): text.map(DataValue.string) ?? .null
    case ("length", .string(let text)): .integer(Int64(text.utf16.count))
    case ("length", .binary(let bytes)): .integer(Int64(bytes.count))
    case ("uppercaseString", .string(let text)): .string(text.uppercased())
    case ("lowercaseString", .string(let text)): .string(text.lowercased())
    default: nil
    }
  }
}
