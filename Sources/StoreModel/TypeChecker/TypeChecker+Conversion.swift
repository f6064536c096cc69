import StorePredicate

extension TypeChecker {
  /// Converts an expression to `type`, or reports that it can't be converted.
  mutating func convert(_ side: TypedExpression, to type: ValueType) -> TypedExpression {
    guard type != .any else { return side }
    switch side.kind {
    case .constant(let value):
      return constant(value, side, as: type)
    case .variable(let name) where elements[name] == nil && checker.variables[name] == nil:
      note(name, as: type, at: side.range)
      return TypedExpression(side.kind, as: type, at: side.range)
    case .list(let members):
      guard case .collection(let member) = type else { break }
      return list(of: members, convertedTo: member, side)
    default: break
    }
    if !areComparable(side.type, type) {
      report(.mismatch(side.type, type), at: side.range)
    }
    return side
  }

  /// Converts each member of a list to `type`.
  mutating func list(
    of members: [TypedExpression], convertedTo type: ValueType, _ list: TypedExpression
  ) -> TypedExpression {
    let converted = members.map { convert($0, to: type) }
    return TypedExpression(.list(converted), as: converted.listType, at: list.range)
  }

  private mutating func constant(
    _ value: DataValue, _ side: TypedExpression, as type: ValueType
  ) -> TypedExpression {
    guard value != .null, type.family != .any else { return side }
    guard let converted = convert(value, to: type, at: side.range) else { return side }
    return TypedExpression(.constant(converted), as: type, at: side.range)
  }

  /// Converts a value to `type`. If it can't be converted, the function reports an error and returns nil.
  private mutating func convert(
    _ value: DataValue, to type: ValueType, at range: TextRange
  ) -> DataValue? {
    if type == .entity { return entityName(value, at: range) }
    let converted: DataValue? =
      switch type {
      case .any: value
      case .attribute(let type) where type.family == .text && !comparesDigits:
        if case .string = value { value } else { nil }
      case .attribute(let type): type.compared(with: value)
      case .object(let entity): object(value, of: entity)
      case .entity, .collection: nil
      }
    if converted == nil {
      switch (value, type) {
      case (.string(let text), .object(let entity)):
        let attribute = model.namingAttribute(of: entity)
        report(.notAnObject(found: text, entity: entity, attribute: attribute), at: range)
      case (.string(let text), _):
        report(.unreadable(found: text, expected: type), at: range)
      default:
        report(.mismatch(value.type, type), at: range)
      }
    }
    return converted
  }

  /// Converts an object ID, its text, or a primary key to an object ID. Returns nil for other values, and for the ID of
  /// an object that can't be in `entity`.
  private func object(_ value: DataValue, of entity: String) -> DataValue? {
    let id: ObjectID? =
      switch value {
      case .objectID(let id): id
      case .string(let text): ObjectID(text: text)
      case .integer(let key) where key > 0:
        ObjectID(store: nil, entity: entity, primaryKey: key)
      default: nil
      }
    guard let id, areComparable(.object(id.entity), .object(entity)) else { return nil }
    return .objectID(id)
  }

  private mutating func entityName(_ value: DataValue, at range: TextRange) -> DataValue? {
    guard case .string(let name) = value else {
      report(.mismatch(value.type, .entity), at: range)
      return nil
    }
    guard model.entity(named: name) != nil else {
      report(.unknownEntity(name, known: model.entities.map(\.name)), at: range)
      return nil
    }
    return value
  }
}
