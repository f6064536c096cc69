import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// A model in two states: two versions to compare, usually the current ones, and the changes of the list of versions.
struct ComparedModel {
  struct Side {
    let bundle: ModelBundle
    let version: ModelVersion
    let reading: ModelReading

    /// - Throws: An error of reading the version.
    init(_ version: ModelVersion, of bundle: ModelBundle) throws {
      self.bundle = bundle
      self.version = version
      reading = try version.read()
    }

    init(_ found: FoundModel) {
      (bundle, version, reading) = (found.bundle, found.version, found.reading)
    }
  }

  /// The path of the model in a repository, which may contain several models; nil if the user specifies both versions.
  let path: LocalPath?
  /// The old version; nil if the model is new, or if only `versions` are listed.
  let old: Side?
  /// The new version; nil if the model was removed, or if only `versions` are listed.
  let new: Side?
  let versions: [VersionChange]
  /// The differences; nil if a version is missing, unless it is compared with an empty model.
  let diff: ModelDiff?
  let demand: MigrationDemand?
  /// Whether the hashes of versions other than `old` and `new` have changed.
  let hasOtherEdits: Bool

  /// - Parameter listsAll: Whether a version without a counterpart is compared with an empty model.
  /// - Throws: An error of inferring a migration or of reading definitions.
  init(
    path: LocalPath? = nil, from old: Side?, to new: Side?, versions: [VersionChange] = [],
    hasOtherEdits: Bool = false, listsAll: Bool = false
  ) throws {
    self.path = path
    self.old = old
    self.new = new
    self.versions = versions
    self.hasOtherEdits = hasOtherEdits
    guard let old, let new else {
      let empty = DataModel(name: "", entities: [])
      let (before, after) = (old?.reading.model ?? empty, new?.reading.model ?? empty)
      diff = listsAll ? ModelDiff(from: before, to: after) : nil
      demand = nil
      return
    }
    let diff = ModelDiff(from: old.reading.model, to: new.reading.model)
    self.diff = diff
    demand = try MigrationDemand(of: diff, from: old, to: new)
  }

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

/// A change to the versions of a model, such as a new version or another current version.
enum VersionChange: Hashable {
  case modelAdded
  case modelRemoved
  /// - Parameter from: The previous path of the model.
  case moved(from: LocalPath)
  case added(String)
  case removed(String, isReleased: Bool)
  /// - Parameters:
  ///   - changesHash: Whether existing stores no longer fit the version.
  ///   - isReleased: Whether the lock file contains the version.
  case edited(String, changesHash: Bool, isReleased: Bool)
  /// A version with the content of a previous one, but with another name.
  case renamed(String, from: String)
  case current(from: String, to: String)
  /// The current version is now specified.
  case declared(String)
  /// The current version is no longer specified.
  case undeclared(String)

  /// The name of the changed version, if any.
  var version: String? {
    switch self {
    case .modelAdded, .modelRemoved, .moved: nil
    case .added(let name), .removed(let name, _), .edited(let name, _, _), .renamed(let name, _):
      name
    case .current(_, let name), .declared(let name), .undeclared(let name): name
    }
  }

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

  /// The text after the name of the version.
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

  /// Whether existing stores of a released version can no longer be opened.
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
