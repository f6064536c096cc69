import StoreMigration
import StoreModel

extension MappingError {
  /// The part of the target model that prevents the migration.
  var part: ModelPart {
    switch self {
    case .missingValue(let entity, let attribute, _, _),
      .typeChange(let entity, let attribute, _, _),
      .inconvertible(let entity, let attribute, _, _), .unreadableFile(let entity, let attribute),
      .missingDestination(let entity, let attribute, _, _),
      .sharedDestination(let entity, let attribute, _, _, _):
      .property(attribute, of: entity)
    case .duplicates(let entity, _), .abstractEntity(let entity): .entity(entity)
    }
  }

  /// The reason why rows can't be migrated, as the part of a message after a colon.
  var reason: String {
    switch self {
    case .missingValue(let entity, let attribute, _, nil):
      "'\(entity).\(attribute)' is required and has no default"
    case .missingValue(let entity, let attribute, _, _?):
      "'\(entity).\(attribute)' is required and has no default, but its value may be NULL in some rows"
    case .typeChange(let entity, let attribute, let from, let to):
      "\(from.name) values of '\(entity).\(attribute)' can't be converted to \(to.name)"
    case .inconvertible(let entity, let attribute, let from, let to):
      "not every \(from.name) of '\(entity).\(attribute)' can be converted to \(to.name)"
    case .unreadableFile(let entity, let attribute):
      "files with values of '\(entity).\(attribute)' may be missing"
    case .duplicates(let entity, let properties):
      "rows of '\(entity)' may have equal values of \(properties.joined(separator: ", "))"
    case .missingDestination(let entity, let relationship, _, _):
      "'\(entity).\(relationship)' is required, so each row requires a destination"
    case .sharedDestination(let entity, let relationship, let inverse, _, _):
      "'\(inverse)' is a to-one relationship, but rows may share a destination of '\(entity).\(relationship)'"
    case .abstractEntity(let entity): "'\(entity)' is now abstract"
    }
  }

  /// The change of the model that fixes the problem.
  var advice: String {
    switch self {
    case .missingValue: "give it a default, or make it optional"
    case .typeChange, .inconvertible, .unreadableFile: "keep its type, and add another attribute"
    case .duplicates: "remove duplicates first"
    case .missingDestination: "make it optional"
    case .sharedDestination(_, _, let inverse, _, _): "make '\(inverse)' a to-many relationship"
    case .abstractEntity: "add an abstract parent instead"
    }
  }
}
