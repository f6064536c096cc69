import StoreLayout
import StoreModel
import StorePredicate

extension DefinitionChecker {
  mutating func checkProperties(ofLine index: Int) {
    let line = lines[index]
    for attribute in line.definition.attributes {
      lines[index].attributes[attribute.name.meaning] = value(attribute, line)
    }
    for relationship in line.definition.relationships {
      lines[index].relationships[relationship.name.meaning] = destinations(relationship, line)
    }
  }

  // MARK: Attributes

  private mutating func value(_ line: AttributeDefinition, _ entity: DefinedLine) -> DefinedValue? {
    guard let attribute = attribute(line.name, of: entity.target) else { return nil }
    var value = DefinedValue()
    if let written = line.value {
      value.source = source(written, of: attribute, entity.source)
      // The inferred default applies only to the inferred value, so the attribute's own default is used here.
      value.fallback = attribute.isOptional ? .null : attribute.defaultValue
    }
    if let written = line.fallback {
      value.fallback = constant(written, of: attribute, entity.source)
    }
    return value
  }

  /// Returns the stored attribute of the target with this name, or the element of a composite attribute with this path.
  /// Returns nil after reporting an error.
  private mutating func attribute(_ name: Written<String>, of entity: EntityDescription)
    -> AttributeDescription?
  {
    if let attribute = target.storedAttribute(name.meaning, of: entity.name) {
      guard attribute.derivation == nil else {
        report(.derived(name.meaning, entity: entity.name), at: name.place)
        return nil
      }
      return attribute
    }
    switch target.property(named: name.meaning, of: entity)?.0 {
    case .relationship: report(.isRelationship(name.meaning, entity: entity.name), at: name.place)
    case .attribute(let attribute) where attribute.isTransient:
      report(.transient(name.meaning, entity: entity.name), at: name.place)
    case .attribute, .fetched, nil:
      let known = target.storedAttributes(of: entity).map(\.name)
      report(
        .unknownProperty(name.meaning, entity: entity.name, version: target.name, known: known),
        at: name.place)
    }
    return nil
  }

  private mutating func source(
    _ written: Written<FormatExpression>, of attribute: AttributeDescription,
    _ entity: EntityDescription
  ) -> AttributeOrigin.Source? {
    let expression = Self.overRow(written.meaning)
    if expression.kind == .constant(.null) { return .nothing }
    guard let found = checked(expression, of: entity, at: written.place),
      isBound(found.variables, at: written.place)
    else { return nil }
    if let path = expression.ownPath, let old = source.storedAttribute(path, of: entity.name) {
      guard Conversion(from: old.type, to: attribute.type) != nil else {
        report(.wrongType(.attribute(old.type), attribute.name, attribute.type), at: written.place)
        return nil
      }
      return .attribute(path)
    }
    return value(found, as: attribute, of: entity, written.place).map { .expression($0) }
  }

  /// Checks an expression over rows of a source entity. Returns nil after reporting an error.
  mutating func checked(
    _ expression: FormatExpression, of entity: EntityDescription, at place: WrittenPlace
  ) -> CheckedExpression? {
    do throws(CheckErrors) {
      return try PredicateChecker(model: source, entity: entity.name).check(expression)
    } catch {
      report(error, at: place)
      return nil
    }
  }

  private mutating func value(
    _ checked: CheckedExpression, as attribute: AttributeDescription, of entity: EntityDescription,
    _ place: WrittenPlace
  ) -> TypedExpression? {
    do throws(CheckErrors) {
      let checker = PredicateChecker(model: source, entity: entity.name)
      return try checker.convert(checked, to: .attribute(attribute.type)).typed
    } catch {
      guard case .mismatch? = error.errors.first?.kind else {
        report(error, at: place)
        return nil
      }
      report(.wrongType(checked.type, attribute.name, attribute.type), at: place)
      return nil
    }
  }

  private mutating func constant(
    _ written: Written<FormatExpression>, of attribute: AttributeDescription,
    _ entity: EntityDescription
  ) -> DataValue? {
    guard let checked = checked(written.meaning, of: entity, at: written.place),
      let converted = self.value(checked, as: attribute, of: entity, written.place)
    else { return nil }
    guard let value = converted.constant, value != .null else {
      report(.defaultIsNoConstant(attribute.name), at: written.place)
      return nil
    }
    return value
  }

  /// Replaces `$source` by `SELF`. Both refer to the source row.
  static func overRow(_ expression: FormatExpression) -> FormatExpression {
    expression.substituting([MigrationDefinition.sourceVariable: FormatExpression(.selfObject)])
  }
}

extension FormatExpression {
  /// The key path as text, such as `name` or `address.city`; nil if the expression isn't a key path of the row itself.
  var ownPath: String? {
    guard case .keyPath(let base, let steps) = kind, case .selfObject = base.kind else {
      return nil
    }
    let keys = steps.compactMap { if case .key(let key) = $0.kind { key } else { nil } }
    return keys.count == steps.count ? keys.joined(separator: ".") : nil
  }
}
