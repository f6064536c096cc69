package import StoreModel

/// What the user wants of a run.
package struct MigrationSettings: Hashable, Sendable {
  package enum Backup: Hashable, Sendable {
    /// `STORE.<version>.<UTC>.backup` beside the store.
    case beside
    case at(String)
    case none
  }

  package var backup = Backup.beside
  package var allowedLosses = AllowedLosses.some([])
  /// What may stand among them without being lost, beside what the migration knows: names of other
  /// versions.
  package var otherNames: Set<String> = []
  /// Whether rows are compared before and after.
  package var proves = true

  package init(
    backup: Backup = .beside, allowedLosses: AllowedLosses = .some([]),
    otherNames: Set<String> = [], proves: Bool = true
  ) {
    self.backup = backup
    self.allowedLosses = allowedLosses
    self.otherNames = otherNames
    self.proves = proves
  }
}

extension Model {
  /// What of the version may be allowed to be lost, by name: `Item`, `Item.note`.
  package var lossNames: Set<String> {
    Set(
      entities.flatMap { entity in
        [entity.name]
          + (entity.attributes.map(\.name) + entity.relationships.map(\.name))
          .map { "\(entity.name).\($0)" }
      })
  }
}

/// Which losses are no reason to refuse.
package enum AllowedLosses: Hashable, Sendable {
  case all
  /// As `PossibleLoss` names them.
  case some([String])

  /// `all`, or names with commas between them.
  package init(_ text: String) {
    let names = text.split(separator: ",").map { part in
      var name = part
      while name.first == " " { name.removeFirst() }
      while name.last == " " { name.removeLast() }
      return String(name)
    }
    self = names == ["all"] ? .all : .some(names)
  }

  package func allow(_ loss: String) -> Bool {
    switch self {
    case .all: true
    case .some(let names): names.contains(loss)
    }
  }
}
