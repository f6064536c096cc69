import StoreDiagnostics

extension InsertPlan.Refusal {
  var code: String {
    if case .ofSubentity = self { "value.unknown-property" } else { "value.not-settable" }
  }

  func message(of name: String, entity: String) -> String {
    switch self {
    case .derived: "'\(name)' is derived: the store computes it"
    case .toMany: "'\(name)' is to-many; only attributes and to-one relationships can be set"
    case .transient: "'\(name)' is transient: it has no column in the store"
    case .composite: "'\(name)' of '\(entity)' is made of several values"
    case .ofSubentity(let subentity):
      "'\(entity)' has no property '\(name)', its sub-entity '\(subentity)' has"
    }
  }

  func help(of name: String, entity: String) -> [Remedy] {
    switch self {
    case .derived, .transient: []
    case .toMany: [.request(.link(entity: entity, relationship: name))]
    case .composite(let elements):
      [.text("set each: \(elements.map { "'\($0)'" }.joined(separator: ", "))")]
    case .ofSubentity(let subentity): [.text("name '\(subentity)' instead of '\(entity)'")]
    }
  }
}
