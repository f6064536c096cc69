import StoreMigration
import StoreModel
import StoreModelReader
import StoreDiagnostics

/// A section of the text about a compared model.
struct DiffSection {
  struct Line {
    /// A name in the model, such as `Item.note`, or the name of a version.
    var subject: String?
    var text: String
    /// The effect on stores.
    var effect: String?
  }

  let title: String
  /// A sentence above the lines.
  var introduction: String?
  var lines: [Line] = []
}

extension ComparedModel {
  /// Returns the text for the path and the versions, which `quote` marks as names.
  func title(_ place: String?, _ quote: (String) -> String) -> String {
    let versions = [old, new].compactMap { $0.map { quote($0.version.name) } }
    let names = [place, versions.joined(separator: " → ")].compactMap(\.self)
    return names.filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// The sections in the order of their importance, without empty ones.
  var sections: [DiffSection] {
    var found = [versionSection, changeSection]
    if let diff, let demand { found += sections(of: demand, diff) }
    return found.filter { !$0.lines.isEmpty || $0.introduction != nil }
  }

  private var versionSection: DiffSection {
    let harmful = versions.filter(\.isHarmful)
    let all = harmful + versions.filter { !$0.isHarmful }
    return DiffSection(
      title: "Versions", lines: all.map { .init(subject: $0.version, text: $0.detail) })
  }

  private var changeSection: DiffSection {
    DiffSection(
      title: "Changes",
      lines: (diff?.changes ?? []).map { change in
        .init(subject: change.subject, text: change.wording.detail, effect: effect(of: change))
      })
  }

  private func effect(of change: ModelChange) -> String? {
    // If the model was added or removed, stores don't need a migration.
    guard old != nil, new != nil else { return nil }
    return switch (change.effect, need(of: change)) {
    case (.hash, .definition?): "migration, not inferred"
    case (.hash, _): "migration"
    case (.schema, _): "new stores"
    case (.none, _): "none"
    }
  }

  private func sections(of demand: MigrationDemand, _ diff: ModelDiff) -> [DiffSection] {
    [
      DiffSection(title: "Migration", introduction: migration(demand, diff)),
      DiffSection(
        title: "Rows that can't be migrated",
        lines: demand.obstacles.map { .init($0) }),
      DiffSection(title: "Rows that may fail to migrate", lines: demand.risks.map { .init($0) }),
      DiffSection(
        title: "Losses",
        introduction: demand.losses.isEmpty ? nil : "The migration drops these values of a store:",
        lines: demand.losses.map { .init(subject: $0, text: loss(of: $0, diff)) }),
      DiffSection(
        title: "Changes that may require a definition or an elementID",
        lines: demand.suspectedRenames.map { change in
          .init(
            subject: change.subject,
            text:
              "looks like a renamed '\(change.resembles ?? "")', but the model doesn't specify it")
        }),
    ]
  }

  private func migration(_ demand: MigrationDemand, _ diff: ModelDiff) -> String {
    guard diff.needsMigration else {
      let version = hasOtherEdits ? new.map { " of '\($0.version.name)'" } ?? "" : ""
      return "Stores\(version) aren't migrated, because the version hashes are equal."
    }
    if let old, old.version.name.isExactly(new?.version.name), path != nil {
      return
        "Stores of the previous '\(old.version.name)' can't be migrated, because no version "
        + "has their hashes. If this version is in use, make the change in a new version."
    }
    let files = demand.definitions.map { "'\($0)'" }.joined(separator: ", ")
    let means = files.isEmpty ? "It is inferred" : "It is defined in \(files)"
    return demand.wantsDefinition
      ? "Stores must be migrated. \(means), but some rows can't be migrated: change the model, or write a "
        + "definition."
      : "Stores must be migrated. \(means)."
  }

  private func loss(of name: String, _ diff: ModelDiff) -> String {
    let change = diff.changes.first { diff.lostName(of: $0) == name }
    return change?.wording.detail ?? "can't store all of its values"
  }
}

extension DiffSection.Line {
  fileprivate init(_ problem: MappingError) {
    self.init(subject: problem.part.path, text: "\(problem.reason): \(problem.advice)")
  }
}

extension ModelChange {
  fileprivate var subject: String? {
    let names = [entity, name].compactMap(\.self)
    return names.isEmpty ? nil : names.joined(separator: ".")
  }
}
