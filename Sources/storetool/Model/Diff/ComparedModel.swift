import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// One model in two states: what is in use in each, and what else has changed in its versions.
struct ComparedModel {
  struct Side {
    let bundle: ModelBundle
    let version: ModelVersion
    let reading: ModelReading

    /// - Throws: what reading the version throws.
    init(_ version: ModelVersion, of bundle: ModelBundle) throws {
      self.bundle = bundle
      self.version = version
      reading = try version.read()
    }

    init(_ found: FoundModel) {
      (bundle, version, reading) = (found.bundle, found.version, found.reading)
    }
  }

  /// Of the model, for several in one repository; nil where the user has named both sides.
  let path: FilePath?
  /// Nil where the model is not there yet.
  let old: Side?
  /// Nil where it is gone.
  let new: Side?
  let versions: [VersionChange]
  /// Nil where there is nothing to compare with.
  let diff: ModelDiff?
  let demand: MigrationDemand?
  /// Whether a version other than the compared ones was edited, so that its hashes are others.
  let hasOtherEdits: Bool

  /// - Parameter listsAll: whether a model that is on one side only is compared with an empty one.
  /// - Throws: what inferring and reading definitions throws.
  init(
    path: FilePath? = nil, from old: Side?, to new: Side?, versions: [VersionChange] = [],
    hasOtherEdits: Bool = false, listsAll: Bool = false
  ) throws {
    self.path = path
    self.old = old
    self.new = new
    self.versions = versions
    self.hasOtherEdits = hasOtherEdits
    guard let old, let new else {
      let empty = Model(name: "", entities: [])
      let (before, after) = (old?.reading.model ?? empty, new?.reading.model ?? empty)
      diff = listsAll ? ModelDiff(from: before, to: after) : nil
      demand = nil
      return
    }
    let diff = ModelDiff(from: old.reading.model, to: new.reading.model)
    self.diff = diff
    demand = try MigrationDemand(of: diff, from: old, to: new)
  }

  /// One line, for people.
  var summary: String {
    let name = path.map { "\($0): " } ?? ""
    guard old != nil || new != nil else {
      return name + versions.map(\.detail).joined(separator: "; ")
    }
    guard let diff, let old, let new else {
      return "\(name)the model \(new == nil ? "was removed" : "is new")"
    }
    let count = diff.changes.count.counted("change")
    let consequence =
      diff.needsMigration
      ? "stores must be migrated"
      : "the version hashes are equal, so stores \(hasOtherEdits ? "of '\(new.version.name)' " : "")aren't migrated"
    return "\(name)'\(old.version.name)' → '\(new.version.name)': \(count); \(consequence)"
  }
}

/// What has become of a version of a model, beside the one in use.
enum VersionChange: Hashable {
  case modelAdded
  case modelRemoved
  /// - Parameter from: the model's former path.
  case moved(from: FilePath)
  case added(String)
  case removed(String, isReleased: Bool)
  /// - Parameters:
  ///   - changesHash: its stores are no longer those of the version.
  ///   - isReleased: it is in the lock file.
  case edited(String, changesHash: Bool, isReleased: Bool)
  /// A version that has the contents of a former one, and another name.
  case renamed(String, from: String)
  case current(from: String, to: String)
  /// Which one is in use is said now.
  case declared(String)
  /// It is not said any more.
  case undeclared(String)

  /// The version that it is about.
  var version: String? {
    switch self {
    case .modelAdded, .modelRemoved, .moved: nil
    case .added(let name), .removed(let name, _), .edited(let name, _, _), .renamed(let name, _):
      name
    case .current(_, let name), .declared(let name), .undeclared(let name): name
    }
  }

  /// Stable, for scripts.
  var code: String {
    switch self {
    case .modelAdded: "model.added"
    case .modelRemoved: "model.removed"
    case .moved: "model.moved"
    case .renamed: "version.renamed"
    case .added: "version.added"
    case .removed: "version.removed"
    case .edited: "version.edited"
    case .current, .declared, .undeclared: "version.current"
    }
  }

  /// What follows the version's name.
  var detail: String {
    switch self {
    case .modelAdded: "the model is new"
    case .modelRemoved: "the model was removed"
    case .moved(let path): "the model was moved from '\(path)'"
    case .renamed(_, let name): "the version was renamed from '\(name)'"
    case .added: "the version is new"
    case .removed(_, true): "the released version was removed: its stores can no longer be opened"
    case .removed(_, false): "the version was removed"
    case .edited(_, true, true):
      "the released version was edited: its stores have other hashes"
    case .edited(_, false, true):
      "the released version was edited; its version hashes are unchanged"
    case .edited(_, true, false): "the version was edited in place: its stores must be migrated"
    case .edited(_, false, false):
      "the version was edited in place; its version hashes are unchanged"
    case .current(let old, let new): "the current version changed from '\(old)' to '\(new)'"
    case .declared(let new): "the current version is '\(new)'; it wasn't specified before"
    case .undeclared(let old): "the current version is no longer specified; it was '\(old)'"
    }
  }

  /// Whether stores that are in use are left behind.
  var isHarmful: Bool {
    switch self {
    case .removed(_, true), .edited(_, true, true): true
    case .modelAdded, .modelRemoved, .moved, .added, .removed, .edited, .renamed, .current,
      .declared, .undeclared:
      false
    }
  }

  var changesHash: Bool {
    if case .edited(_, let changesHash, _) = self { changesHash } else { false }
  }
}
