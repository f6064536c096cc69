import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// The models of a repository in two of its states.
struct RevisionComparison {
  /// The models that differ.
  let models: [ComparedModel]
  /// Notes about models and versions that can't be compared, and about the choice of versions.
  private(set) var notes: [DiagnosticMessage] = []

  /// - Parameter paths: The requested models, or folders of models; empty for all.
  /// - Throws: `GitError`, or an error of reading a model.
  init(of range: RevisionRange, paths: [LocalPath]) throws {
    let repository = try GitRepository()
    let (old, new) = try range.sides(in: repository)
    let named = try paths.map { path in
      try repository.path(fromTop: path, among: old.paths + new.paths)
    }
    let known = old.models.union(new.models)
    let sides = "\(old.description) or in \(new.description)"
    func missing(_ path: LocalPath) -> GitError {
      .noModel(path, known: known.map(repository.pathFromHere).sorted(), sides: sides)
    }
    let moves = try ModelMoves(from: old, to: new)
    guard !named.isEmpty || !known.isEmpty else { throw missing("") }
    var chosen = named.isEmpty ? known : []
    for (word, path) in zip(paths, named) {
      let found = known.filter { path.isEmpty || $0.isPart(of: path) }
      let isFile = [path, path.appending("contents")].contains { file in
        old.paths.contains(file) || new.paths.contains(file)
      }
      guard !found.isEmpty || isFile else { throw missing(word) }
      chosen.formUnion(found.isEmpty ? [path] : found)
    }
    models = try Self.compare(moves.pairs(of: chosen), old, new, in: repository, &notes)
  }

  private static func compare(
    _ pairs: [ModelMoves.Pair], _ old: RepositoryState, _ new: RepositoryState,
    in repository: GitRepository, _ notes: inout [DiagnosticMessage]
  ) throws -> [ComparedModel] {
    var models: [ComparedModel] = []
    for pair in pairs {
      if !pair.isMove, try old.hasEqualFiles(as: new, below: pair.new) { continue }
      let bundles = (try old.model(at: pair.old), try new.model(at: pair.new))
      let both = [bundles.0, bundles.1].compactMap { $0 }
      // A model whose current version isn't XML doesn't prevent the comparison of other models.
      let unread = both.filter { $0.versionToCompare == nil }
      notes += unread.map {
        DiagnosticMessage(
          .note, "model.left-out", "'\($0.path)' is skipped, because its current version isn't XML")
      }
      guard !both.isEmpty, unread.isEmpty else { continue }
      for bundle in both { notes += bundle.notesOnVersion }
      let sides = (try side(of: bundles.0), try side(of: bundles.1))
      let versions = VersionComparison(
        old: bundles.0, new: bundles.1,
        lock: try old.lock(ofModelAt: pair.old, named: bundles.0?.name)
      ) { one, other in
        try old.hasEqualFiles(
          as: new, below: pair.old.appending(one), at: pair.new.appending(other))
      }
      let current = (sides.0?.version.name, sides.1?.version.name)
      let edits = try versions.edits(&notes)
      let ofCurrent = edits.filter {
        $0.old.name.isExactly(current.0) && $0.new.name.isExactly(current.1)
      }
      let others = edits.filter { edit in !ofCurrent.contains { $0.old == edit.old } }
      let path = repository.pathFromHere(pair.new)
      let move =
        pair.isMove ? [VersionChange.moved(from: repository.pathFromHere(pair.old))] : []
      let model = try ComparedModel(
        path: path, from: sides.0, to: sides.1,
        versions: move + versions.changes(current: current) + ofCurrent.map(\.change),
        hasOtherEdits: others.contains { $0.change.changesHash })
      // A model isn't listed if only whitespace, comments or positions in a diagram have changed.
      if !(model.versions.isEmpty && model.diff?.changes.isEmpty == true) { models.append(model) }
      guard let old = bundles.0, let new = bundles.1 else { continue }
      models += try others.map { edit in
        try ComparedModel(
          path: path, from: .init(edit.old, of: old), to: .init(edit.new, of: new),
          versions: [edit.change])
      }
    }
    return models
  }

  private static func side(of bundle: ModelBundle?) throws -> ComparedModel.Side? {
    guard let bundle, let version = bundle.versionToCompare else { return nil }
    return try ComparedModel.Side(version, of: bundle)
  }
}

extension ModelBundle {
  /// The current version; nil if it isn't XML. If the bundle doesn't specify a current version: the last version that
  /// is XML.
  fileprivate var versionToCompare: ModelVersion? {
    guard let currentVersion else { return versions.last { $0.isReadable } }
    return currentVersion.isReadable ? currentVersion : nil
  }

  fileprivate var notesOnVersion: [DiagnosticMessage] {
    guard currentVersion == nil, let version = versionToCompare else { return [] }
    return ModelBundleError.noCurrentVersion(self).diagnostics.map {
      var note = $0.asNote()
      note.help = ["the last version is compared: '\(version.name)'"]
      return note
    }
  }
}

extension RepositoryState {
  /// Returns the lock file of a model, which lists its released versions; nil if there is none.
  ///
  /// - Throws: `GitError`, or `DiagnosticError` for an invalid file.
  fileprivate func lock(ofModelAt path: LocalPath, named name: String?) throws -> VersionLock? {
    guard let name else { return nil }
    let folder = ModelBundle.defaultMigrationsFolder(ofModelAt: path)
    let file = folder.appending("\(name).lock")
    guard paths.contains(file) else { return nil }
    return try VersionLock(
      path: shown(file), model: name,
      parsing: String(decoding: try bytes(of: file), as: UTF8.self))
  }
}

extension ModelVersion {
  /// Returns the name of the version's folder as bytes, because `name` can't contain bytes that aren't UTF-8; nil for a
  /// model without a bundle.
  fileprivate func folder(in bundle: ModelBundle) -> LocalPath? {
    path.dropFirst(bundle.path.bytes.count).components.first
  }
}

/// The versions of a model in two states of a repository.
private struct VersionComparison {
  let old: ModelBundle?
  let new: ModelBundle?
  let lock: VersionLock?

  /// Returns whether the files of two versions are equal. The arguments are the names of their folders.
  let isSame: (LocalPath, LocalPath) throws -> Bool

  struct Edit {
    let old: ModelVersion
    let new: ModelVersion
    let change: VersionChange
  }

  /// Returns the added, removed and renamed versions, and the change of the current version. Edited versions are
  /// returned by `edits`.
  ///
  /// - Parameter current: The names of the current versions in both states.
  /// - Throws: `GitError` if a file can't be read.
  func changes(current: (old: String?, new: String?)) throws -> [VersionChange] {
    guard let old else { return [.modelAdded] }
    guard let new else {
      return [.modelRemoved]
        + old.versions.map { .removed($0.name, isReleased: isReleased($0.name)) }
    }
    var removed = old.versions.filter { !new.hasVersion(named: $0.name) }
    var added = new.versions.filter { !old.hasVersion(named: $0.name) }
    var renamed: [VersionChange] = []
    for version in removed {
      guard let folder = version.folder(in: old),
        let index = try added.firstIndex(where: { other in
          try other.folder(in: new).map { try isSame(folder, $0) } ?? false
        })
      else { continue }
      renamed.append(.renamed(added[index].name, from: version.name))
      added.remove(at: index)
      removed.removeAll { $0 == version }
    }
    var changes =
      removed.map { VersionChange.removed($0.name, isReleased: isReleased($0.name)) }
      + added.map { VersionChange.added($0.name) } + renamed
    let isRenamed = renamed.contains { change in
      if case .renamed(let to, let from) = change {
        from.isExactly(current.old) && to.isExactly(current.new)
      } else {
        false
      }
    }
    if let from = current.old, let to = current.new, !from.isExactly(to), !isRenamed {
      changes.append(.current(from: from, to: to))
    }
    return changes
  }

  /// Returns the versions that both states contain with different models. Adds notes about versions that can't be
  /// compared.
  ///
  /// - Throws: `GitError` if a file can't be read.
  func edits(_ notes: inout [DiagnosticMessage]) throws -> [Edit] {
    guard let old, let new else { return [] }
    return try old.versions.compactMap { version in
      guard new.hasVersion(named: version.name), let folder = version.folder(in: old),
        try !isSame(folder, folder)
      else { return nil }
      let other = try new.version(named: version.name)
      return try edit(of: version, to: other, &notes).map {
        Edit(old: version, new: other, change: $0)
      }
    }
  }

  private func isReleased(_ name: String) -> Bool { lock?.entry(for: name) != nil }

  /// Returns the edit of a version; nil if the models are equal or can't be compared.
  private func edit(
    of old: ModelVersion, to new: ModelVersion, _ notes: inout [DiagnosticMessage]
  ) throws -> VersionChange? {
    guard old.isReadable, new.isReadable else { return nil }
    let changes: [ModelChange]
    do {
      changes = try ModelDiff(from: old.read().model, to: new.read().model).changes
    } catch let error as GitError {
      throw error
    } catch let error as any DiagnosableError {
      // Other versions can still be compared.
      notes += error.diagnostics.map { $0.asNote("'\(old.name)' can't be compared") }
      return nil
    }
    guard !changes.isEmpty else { return nil }
    return .edited(
      old.name, changesHash: changes.contains { $0.effect == .hash },
      isReleased: isReleased(old.name))
  }
}
