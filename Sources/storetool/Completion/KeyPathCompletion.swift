import StoreModel
import StorePredicate

/// Completes key paths, one name at a time.
struct KeyPathCompletion {
  /// The purpose of a key path, which determines how the key path can end.
  enum Purpose {
    /// Sorting or grouping: the key path ends at a value.
    case value
    /// Selecting: the key path ends at a value or an object.
    case column
    /// A predicate: the key path ends at a value, an object, a to-many relationship or its count.
    case predicate
    /// Assigning a value: the key path ends at an attribute. Names that are keywords aren't escaped.
    case assignment
  }

  let model: DataModel
  let purpose: Purpose

  /// The target of a key path without its last name. It determines the candidates for this name.
  private enum Place {
    /// One object.
    case entity(EntityDescription)
    /// The objects of a to-many relationship.
    case objects(EntityDescription)
    case composite(CompositeDescription)
  }

  /// Returns the key paths with each possible last name. They aren't filtered by the typed part of the last name.
  ///
  /// - Parameter typed: The typed part of the key path, such as `department.na`.
  func candidates(from entity: EntityDescription, after typed: String) -> [CompletionCandidate] {
    let names = typed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var place: Place? = .entity(entity)
    for name in names.dropLast() { place = place.flatMap { self.place(behind: name, at: $0) } }
    guard let place else { return [] }
    let path = names.dropLast().map { $0 + "." }.joined()
    return members(of: place).map { member in
      CompletionCandidate(path + member.word, member.note)
    }
  }

  private func place(behind step: String, at place: Place) -> Place? {
    let name = step.hasPrefix("#") ? String(step.dropFirst()) : step
    switch place {
    case .entity(let entity), .objects(let entity):
      switch model.property(named: name, of: entity)?.0 {
      case .relationship(let relationship):
        return model.entity(named: relationship.destination)
          .map { relationship.isToMany ? .objects($0) : .entity($0) }
      case .attribute(let attribute): return composite(of: attribute).map(Place.composite)
      case .fetched, nil: return nil
      }
    case .composite(let composite):
      return composite.attributes.first { $0.name == name }.flatMap { self.composite(of: $0) }
        .map(Place.composite)
    }
  }

  private func members(of place: Place) -> [CompletionCandidate] {
    switch place {
    case .entity(let entity):
      model.attributes(of: entity).map(member) + model.relationships(of: entity).flatMap(members)
    case .objects(let entity):
      members(of: .entity(entity))
        + (purpose == .predicate ? [CompletionCandidate("@count", nil)] : [])
    case .composite(let composite): composite.attributes.map(member)
    }
  }

  private func member(_ attribute: AttributeDescription) -> CompletionCandidate {
    CompletionCandidate(
      spelled(attribute.name) + (composite(of: attribute) == nil ? "" : "."), attribute.type.name)
  }

  private func members(_ relationship: RelationshipDescription) -> [CompletionCandidate] {
    guard !relationship.isToMany || purpose == .predicate else { return [] }
    let name = spelled(relationship.name)
    let further = CompletionCandidate(name + ".", relationship.destination)
    guard purpose == .column || purpose == .predicate else { return [further] }
    return [CompletionCandidate(name, relationship.destination), further]
  }

  private func spelled(_ name: String) -> String {
    purpose == .assignment ? name : PropertyPath.text(of: name)
  }

  private func composite(of attribute: AttributeDescription) -> CompositeDescription? {
    guard case .composite(let name) = attribute.type else { return nil }
    return model.composite(named: name)
  }
}

/// The spelling of a property in requests, where a name that is also a keyword is escaped.
enum PropertyPath {
  /// - Parameter name: The name in the model, such as `in`, or an element of a composite, such as `position.latitude`.
  static func text(of name: String) -> String {
    FormatExpression.keyPath(name.split(separator: ".").map(String.init)).format
  }
}
