package import StoreDiagnostics
package import StoreModel

/// The reason why a mapping isn't possible for any rows, or for the rows of a store.
package enum MappingError: Error, Hashable, Sendable {
  /// The attribute is required and has no default, but rows have no value.
  case missingValue(
    entity: String, attribute: String, type: AttributeType, sourceAttribute: String?)
  /// There isn't a safe conversion between the types.
  case typeChange(entity: String, attribute: String, from: AttributeType, to: AttributeType)
  /// The conversion between the types can't represent all values of the rows.
  case inconvertible(entity: String, attribute: String, from: AttributeType, to: AttributeType)
  /// The target stores values in the row, but external files with values can't be read.
  case unreadableFile(entity: String, attribute: String)
  /// Rows have equal values, but the target requires unique values.
  case duplicates(entity: String, properties: [String])
  /// The to-one relationship is required, but rows have no destination for it.
  case missingDestination(
    entity: String, relationship: String, sourceEntity: String, sourceRelationship: String?)
  /// Rows share a destination, but the inverse of the relationship is to-one.
  case sharedDestination(
    entity: String, relationship: String, inverse: String, sourceEntity: String, loss: String)
  /// Rows would belong to an abstract entity.
  case abstractEntity(String)

  /// A stable code for scripts.
  package var code: String {
    switch self {
    case .missingValue: "migrate.missing-value"
    case .typeChange: "migrate.type-change"
    case .inconvertible: "migrate.inconvertible"
    case .duplicates: "migrate.duplicates"
    case .unreadableFile: "migrate.unreadable-file"
    case .missingDestination: "migrate.missing-destination"
    case .sharedDestination: "migrate.shared-destination"
    case .abstractEntity: "migrate.abstract-entity"
    }
  }

  /// The error without the number of affected rows.
  package var sentence: String {
    switch self {
    case .missingValue(let entity, let attribute, _, _):
      "'\(entity).\(attribute)' is required and has no default, but rows have no value"
    case .typeChange(let entity, let attribute, let old, let new):
      "'\(entity).\(attribute)' becomes \(new.name), but \(old.name) can't be converted to it"
    case .inconvertible(let entity, let attribute, let old, let new):
      "'\(entity).\(attribute)' becomes \(new.name), but \(old.name) values can't be converted"
    case .duplicates(let entity, let properties):
      Self.uniqueness(of: properties, entity)
        + (properties.count == 1 ? "values occur" : "combinations occur") + " in several rows"
    case .unreadableFile(let entity, let attribute):
      "'\(entity).\(attribute)' is no longer stored externally, but files with its values can't be read"
    case .missingDestination(let entity, let relationship, _, _):
      "'\(entity).\(relationship)' is required, but rows have no destination for it"
    case .sharedDestination(let entity, let relationship, let inverse, _, _):
      "'\(entity).\(relationship)' becomes one-to-one with '\(inverse)', "
        + "but rows have the same destination as another row"
    case .abstractEntity(let entity): "'\(entity)' is abstract, but rows would belong to it"
    }
  }

  /// Returns the error with the number of affected rows or, for duplicates, of groups of rows with equal values.
  package func message(count: Int) -> String {
    switch self {
    case .missingValue(let entity, let attribute, _, _):
      "'\(entity).\(attribute)' is required and has no default, but \(count) \("row".plural(count)) "
        + (count == 1 ? "has no value" : "have no value")
    case .duplicates(let entity, let properties):
      Self.uniqueness(of: properties, entity)
        + "\(count) \((properties.count == 1 ? "value" : "combination").plural(count)) "
        + (count == 1 ? "occurs" : "occur") + " in several rows"
    case .typeChange, .inconvertible, .unreadableFile, .missingDestination, .sharedDestination,
      .abstractEntity:
      "\(sentence): \(count) \("row".plural(count))"
    }
  }

  private static func uniqueness(of properties: [String], _ entity: String) -> String {
    "\(properties.map { "'\($0)'" }.joined(separator: ", ")) of '\(entity)' "
      + (properties.count == 1 ? "becomes unique, but " : "become unique, but ")
  }

  /// The fix, such as an element of a definition or an option; nil if `sentence` suffices.
  package var remedy: DiagnosticRemedy? {
    switch self {
    case .missingValue(let entity, let attribute, let type, _):
      "set a default in a definition: <entity name=\"\(entity)\"><attribute name=\"\(attribute)\" default=\"\(type.exampleOfDefault)\"/></entity>"
    case .missingDestination(let entity, let relationship, let source, let old):
      "set the relationship in a definition: <entity name=\"\(entity)\"><relationship name=\"\(relationship)\" match=\"…\"/></entity>, or drop the rows: <drop entity=\"\(source)\" where=\"\(old.map { "\($0) == nil" } ?? "…")\"/>"
    case .sharedDestination(_, _, _, let source, let loss):
      .migration(.allowSharedLoss(loss, sourceEntity: source))
    case .unreadableFile: "copy the store together with its folder '.NAME_SUPPORT'"
    case .typeChange, .inconvertible, .duplicates, .abstractEntity: nil
    }
  }

  /// The target entity.
  package var entity: String {
    switch self {
    case .missingValue(let entity, _, _, _), .typeChange(let entity, _, _, _),
      .inconvertible(let entity, _, _, _), .duplicates(let entity, _),
      .unreadableFile(let entity, _), .missingDestination(let entity, _, _, _),
      .sharedDestination(let entity, _, _, _, _), .abstractEntity(let entity):
      entity
    }
  }
}

extension AttributeType {
  /// An expression for `default` in a definition.
  fileprivate var exampleOfDefault: String {
    switch self {
    case .string: "'text'"
    case .integer16, .integer32, .integer64, .decimal, .double, .float: "0"
    case .boolean: "NO"
    case .date, .binary, .transformable, .uuid, .uri, .objectID, .undefined, .composite: "…"
    }
  }
}
