import StoreDiagnostics
import StoreModelReader

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of a repository at a revision, or in its work tree.
struct RepositoryState {
  /// The user's spelling of the revision, such as `main`; nil for the work tree.
  let revision: String?
  private let repository: GitRepository
  /// Git's hashes of the contents, by path; empty for the work tree.
  private let blobs: [LocalPath: String]
  /// The sorted paths of the files from the top of the work tree, without duplicates.
  let paths: [LocalPath]

  /// - Parameters:
  ///   - revision: The revision to read. For `main...HEAD`, this is the common ancestor, not the revision that the user
  ///     specifies.
  ///   - name: The user's spelling of the revision, for messages.
  /// - Throws: `GitError` if the revision can't be read.
  init(of revision: String, named name: String, in repository: GitRepository) throws {
    self.repository = repository
    self.revision = "\(ArgumentText.path(name))"
    let files = try repository.files(of: repository.tree(of: revision))
    blobs = Dictionary(files.map { ($0.path, $0.blob) }) { first, _ in first }
    paths = blobs.keys.sorted()
  }

  /// - Throws: `GitError` if the work tree can't be read.
  init(workTreeOf repository: GitRepository) throws {
    self.repository = repository
    revision = nil
    blobs = [:]
    // Links are skipped, because their targets don't belong to the repository. Deleted files are skipped too.
    paths = try repository.workTreePaths().filter {
      repository.pathFromHere($0).status(followsLinks: false)?.kind == .file
    }.sorted()
  }

  /// The name for messages: `the work tree`, or a revision in quotation marks.
  var description: String { revision.map { "'\($0)'" } ?? "the work tree" }

  /// The paths of all model bundles, and of the model versions outside of bundles.
  var models: Set<LocalPath> { Set(paths.compactMap(\.modelPath)) }

  /// Returns a path for messages: `main:Models/App.xcdatamodeld`, or the path from the working directory.
  func shown(_ path: LocalPath) -> LocalPath {
    revision.map { "\($0):\(path)" } ?? repository.pathFromHere(path)
  }

  /// Returns the model at a path, which can be a bundle, the folder of a version, or a file.
  ///
  /// - Returns: Nil if a model doesn't exist at this path.
  /// - Throws: `GitError`, or `ModelBundleError`.
  func model(at path: LocalPath) throws -> ModelBundle? {
    guard let revision else {
      // Without this check, `ModelBundle` would also find files that Git ignores.
      guard paths.contains(where: { $0.isPart(of: path) }) else { return nil }
      do {
        return try ModelBundle(at: repository.pathFromHere(path))
      } catch {
        if case .noModel = error { return nil }
        throw error
      }
    }
    if let file = [path, path.appending("contents")].first(where: paths.contains) {
      return try ModelBundle(
        at: file, in: "\(revision):", files: ["": content(of: file)])
    }
    let below = paths.filter { $0.isBelow(path) }
    let files = below.map { ($0.dropFirst(path.bytes.count + 1), content(of: $0)) }
    let declaration = path.appending(".xccurrentversion")
    return try ModelBundle(
      at: path, in: "\(revision):",
      files: Dictionary(files) { first, _ in first },
      declaration: below.contains(declaration) ? { try bytes(of: declaration) } : nil)
  }

  private func content(of path: LocalPath) -> ModelContent {
    let (repository, blob) = (repository, blobs[path] ?? "")
    return ModelContent { try repository.bytes(of: blob) }
  }

  /// Returns the content of a file. For a revision, this is the content in the repository, without the filters that a
  /// checkout applies.
  ///
  /// - Throws: `GitError`, or `ModelBundleError`.
  func bytes(of path: LocalPath) throws -> [UInt8] {
    guard revision == nil else { return try repository.bytes(of: blobs[path] ?? "") }
    return try GivenFile.bytes(of: repository.pathFromHere(path))
  }

  /// Returns whether a model has the same files with the same contents in both states.
  ///
  /// - Parameter otherPath: The path of the model in `other`; nil if it is the same path.
  func hasEqualFiles(
    as other: RepositoryState, below path: LocalPath, at otherPath: LocalPath? = nil
  ) throws -> Bool {
    let otherPath = otherPath ?? path
    let own = paths.filter { $0.isPart(of: path) }
    let others = other.paths.filter { $0.isPart(of: otherPath) }
    let names = own.map { $0.dropFirst(path.bytes.count) }
    guard names == others.map({ $0.dropFirst(otherPath.bytes.count) }) else { return false }
    return try zip(own, others).allSatisfy { try hasEqualFile($0, as: other, at: $1) }
  }

  /// Returns whether two files have the same content. If both states are revisions, their hashes are compared.
  func hasEqualFile(
    _ file: LocalPath, as other: RepositoryState, at otherFile: LocalPath
  ) throws -> Bool {
    if let one = blobs[file], let two = other.blobs[otherFile] { return one == two }
    return try bytes(of: file) == other.bytes(of: otherFile)
  }
}

extension LocalPath {
  /// The path of the model that contains the file: the outermost folder that is a bundle or a version; nil outside of a
  /// model.
  fileprivate var modelPath: LocalPath? {
    let parts = components
    guard
      let index = parts.firstIndex(where: { part in
        let name = LocalPath("\(part)".lowercased())
        return name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel")
      })
    else { return nil }
    return LocalPath(joining: parts[...index])
  }
}

/// Two states of a repository to compare. `main` means `main` and the work tree, `main..HEAD` means both revisions, and
/// `main...HEAD` means their common ancestor and `HEAD`.
struct RevisionRange: Hashable {
  let old: String
  /// The new revision; nil for the work tree.
  let new: String?
  /// Whether the old state is the common ancestor of both revisions. Without a common ancestor, the old state is
  /// the revision `old`.
  let startsAtMergeBase: Bool

  /// Parses a revision or a range. A missing revision before or after the dots is HEAD, as in Git.
  init(_ text: String) {
    let dots = text.contains("...") ? "..." : ".."
    let parts = text.components(separatedBy: dots)
    startsAtMergeBase = dots == "..." && parts.count == 2
    guard parts.count == 2 else {
      (old, new) = (text, nil)
      return
    }
    old = parts[0].isEmpty ? "HEAD" : parts[0]
    new = parts[1].isEmpty ? "HEAD" : parts[1]
  }

  init(from old: String, to new: String) {
    (self.old, self.new, startsAtMergeBase) = (old, new, false)
  }

  /// Returns both states.
  ///
  /// - Throws: `GitError.unknownRevision` if a revision doesn't exist, or another `GitError` if Git fails.
  func sides(in repository: GitRepository) throws -> (old: RepositoryState, new: RepositoryState) {
    var start = old
    if startsAtMergeBase, let new {
      start = try repository.mergeBase(old, new) ?? old
    }
    let old = try RepositoryState(of: start, named: self.old, in: repository)
    guard let new else { return (old, try RepositoryState(workTreeOf: repository)) }
    return (old, try RepositoryState(of: new, named: new, in: repository))
  }
}
