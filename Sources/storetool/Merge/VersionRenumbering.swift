import ModelTools
import StoreDiagnostics
import StoreModelReader

/// Two versions with the same name, one of which becomes the next version.
struct VersionRenumbering {
  let bundle: ModelBundle
  let oldName: String
  let newPath: LocalPath
  /// Whether both sides are read from Git's index.
  let isFromGit: Bool
  private let newName: String
  private let oldPath: LocalPath
  private let keep: KeptSide
  /// The content of the version that keeps its name.
  private let kept: [UInt8]
  /// The content of the other side's version.
  private let other: [UInt8]
  private let base: (name: String, bytes: [UInt8])?

  private static func exists(_ version: String, in bundle: ModelBundle) -> DiagnosticError {
    DiagnosticError(
      "renumber.exists", "'\(bundle.path)' already has a version '\(version)'",
      cause: .cannotCreate, help: ["choose another name"])
  }

  /// - Throws: A `DiagnosableError` if a version is missing, or the new name is invalid or in use.
  init(
    old: String, new: String, in bundle: ModelBundle, theirs: LocalPath?, base: LocalPath?,
    keep: KeptSide
  ) throws {
    let version = try bundle.version(named: old)
    guard version.form == .xml, bundle.path != version.path else {
      throw DiagnosticError(
        "renumber.no-bundle", "'\(version.path)' isn't an XML version in an .xcdatamodeld",
        cause: .usage, help: ["open the model in Xcode and choose Editor > Add Model Version"])
    }
    self.bundle = bundle
    self.keep = keep
    (oldName, oldPath) = (version.name, version.path)
    newName = VersionName.stem(of: new)
    let folder: LocalPath = "\(bundle.path)/\(newName)\(VersionName.ending)"
    newPath = "\(folder)/contents"
    // The initializer throws if the new name can't be the name of a file.
    _ = try NewModelBundle(
      at: bundle.path, versions: [.init(name: newName, bytes: [])], current: newName)
    // On a file system that ignores case, another version may already use the folder.
    let taken = VersionName.stem(of: "\(folder.spelled.name)")
    guard taken.isExactly(newName) else {
      throw Self.exists(taken, in: bundle)
    }
    let stages = theirs == nil ? try GitStages(of: oldPath) : GitStages()
    isFromGit = theirs == nil
    guard theirs != nil || stages.theirs != nil || !bundle.hasVersion(named: newName) else {
      throw Self.exists(newName, in: bundle)
    }
    let sides = try Self.sides(oldPath, theirs: theirs, stages, of: version.name)
    (kept, other) = keep == .ours ? sides : (sides.theirs, sides.ours)
    self.base = try Self.base(base, of: version, before: newName, in: bundle, stages)
  }

  private static func sides(
    _ path: LocalPath, theirs: LocalPath?, _ stages: GitStages, of version: String
  ) throws -> (ours: [UInt8], theirs: [UInt8]) {
    if let theirs {
      let bundle = try ModelBundle(at: theirs)
      guard let version = bundle.versions.first, bundle.versions.count == 1 else {
        throw ModelBundleError.noCurrentVersion(bundle)
      }
      return (try GivenFile.bytes(of: path), try GivenFile.bytes(of: version.path))
    }
    guard let ours = stages.ours, let theirs = stages.theirs else {
      throw DiagnosticError(
        "renumber.one-side",
        "Git's index has no conflict in '\(path)', so it doesn't contain another '\(version)'",
        cause: .usage, help: ["specify the file of the other side with --theirs"])
    }
    return (ours, theirs)
  }

  /// Returns the common ancestor: the specified version, otherwise the base in Git's index, otherwise the last XML
  /// version before `version`; nil if there is none.
  private static func base(
    _ named: LocalPath?, of version: ModelVersion, before new: String, in bundle: ModelBundle,
    _ stages: GitStages
  ) throws -> (name: String, bytes: [UInt8])? {
    if let named {
      let found =
        bundle.hasVersion(named: "\(named)")
        ? try bundle.version(named: "\(named)") : try ModelBundle(at: named).requireCurrentVersion()
      return ("\(found.path)", try GivenFile.bytes(of: found.path))
    }
    if let base = stages.base { return ("\(version.path) (base)", base) }
    // If a previous run was killed, the new version may already exist. It isn't an ancestor.
    let before = bundle.versions.prefix { !$0.name.isExactly(version.name) }
      .last { $0.form == .xml && !$0.name.isExactly(new) }
    return try before.map { ("\($0.path)", try GivenFile.bytes(of: $0.path)) }
  }

  /// Returns the content of the new version.
  ///
  /// - Throws: A `DiagnosableError` if a file isn't a model.
  func merge() throws -> ModelMerge.Result {
    ModelMerge(
      base: try base.map { try ModelText(model: $0.bytes, of: $0.name) },
      ours: try ModelText(model: kept, of: "\(oldPath)"),
      theirs: try ModelText(model: other, of: "\(oldPath) (theirs)")
    ).result(as: "\(newPath)", labels)
  }

  private var labels: MergeLabels {
    var labels = MergeLabels(ours: oldName, theirs: newName)
    labels.oursInWords = keep == .ours ? "our side" : "their side"
    labels.theirsInWords = keep == .ours ? "their side" : "our side"
    return labels
  }

  /// Writes the new version, the `.xccurrentversion` that declares it as current, and the old version.
  ///
  /// The old version is written last. If the process is killed before, both sides still exist, so that a second run of
  /// the command can complete the change.
  ///
  /// - Throws: `DiagnosticError` if the new version exists with another content, or an error of reading or
  ///   writing a file.
  func write(_ merge: ModelMerge.Result) throws {
    if bundle.hasVersion(named: newName) {
      guard try GivenFile.bytes(of: bundle.version(named: newName).path) == merge.bytes else {
        throw Self.exists(newName, in: bundle)
      }
    }
    var files = FileChanges()
    files.add(merge.bytes, at: newPath)
    files.add(
      Array(NewModelBundle.declaration(of: newName).utf8),
      at: "\(bundle.path)/\(FileMerge.currentVersionFile)")
    files.add(kept, at: oldPath)
    try files.write()
  }
}

/// The contents of a conflicting file in Git's index: the common ancestor and both sides.
struct GitStages {
  private(set) var base: [UInt8]?
  private(set) var ours: [UInt8]?
  private(set) var theirs: [UInt8]?

  init() {}

  /// Reads the contents. All of them are nil if Git isn't installed, or the file isn't in a repository or has no
  /// conflict.
  ///
  /// - Throws: `GitError.failed` if Git is installed, but can't be started.
  init(of path: LocalPath) throws(GitError) {
    let file = path.spelled
    let folder = file.folder.orHere.argument
    let name = file.name.argument
    let list = try Self.git(
      folder, ["--literal-pathspecs", "ls-files", "--unmerged", "-z", "--", name])
    // The format of an entry: MODE HASH STAGE TAB NAME
    for entry in list.split(separator: 0) {
      let words = String(decoding: entry, as: UTF8.self).split(separator: "\t")[0].split(
        separator: " ")
      guard words.count == 3 else { continue }
      let bytes = try Self.git(folder, ["cat-file", "blob", String(words[1])])
      switch words[2] {
      case "1": base = bytes
      case "2": ours = bytes
      case "3": theirs = bytes
      default: break
      }
    }
  }

  private static func git(_ folder: String, _ words: [String]) throws(GitError) -> [UInt8] {
    do {
      let outcome = try GitRepository.git(["-C", folder] + words)
      return outcome.status == 0 ? outcome.output : []
    } catch {
      // Without Git, the user can specify the other side by `--theirs`.
      guard error == .noGit else { throw error }
      return []
    }
  }
}
