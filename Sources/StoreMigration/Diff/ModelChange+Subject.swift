extension ModelChange {
  /// The entity that it is about, by the target's name; nil for what belongs to the whole model.
  package var entity: String? {
    switch kind {
    case .entity(let name, _): name
    case .attribute(_, of: let entity, _), .relationship(_, of: let entity, _),
      .fetchedProperty(_, of: let entity, _):
      entity
    case .template, .composite, .configuration, .versionIdentifiers: nil
    }
  }

  /// The property, template, composite or configuration that it is about.
  package var name: String? {
    switch kind {
    case .entity, .versionIdentifiers: nil
    case .attribute(let name, _, _), .relationship(let name, _, _),
      .fetchedProperty(let name, _, _), .template(let name, _), .composite(let name, _),
      .configuration(let name, _):
      name
    }
  }

  /// Whether its subject is only in the source.
  package var isRemoval: Bool {
    switch kind {
    case .entity(_, .removed), .attribute(_, _, .removed), .relationship(_, _, .removed),
      .fetchedProperty(_, _, .removed), .template(_, .removed), .composite(_, .removed),
      .configuration(_, .removed):
      true
    case .entity, .attribute, .relationship, .fetchedProperty, .template, .composite,
      .configuration, .versionIdentifiers:
      false
    }
  }

  /// The removed thing that an added one may be, under a new name: nothing in the model says so, and
  /// its values are lost unless the model does.
  package var resembles: String? {
    switch kind {
    case .entity(_, .added(_, let name)), .attribute(_, _, .added(_, let name)),
      .relationship(_, _, .added(_, let name)):
      name
    case .entity, .attribute, .relationship, .fetchedProperty, .template, .composite,
      .configuration, .versionIdentifiers:
      nil
    }
  }
}
