import StoreDiagnostics
import StoreModelReader

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The files of a repository at a revision, or in its work tree.
struct RepositoryState {
  /// `main`; nil for the work tree.
  let revision: String?
  private let repository: GitRepository
  /// Blobs by path; without any in the work tree.
  private let blobs: ExactDictionary<String>
  /// In order, each once.
  let paths: [String]

  /// - Parameters:
  ///   - revision: what Git gets.
  ///   - name: what the user has called it.
  /// - Throws: `GitError`
  init(of revision: String, named name: String, in repository: GitRepository) throws {
    self.repository = repository
    self.revision = name
    let files = try repository.files(of: repository.tree(of: revision))
    blobs = ExactDictionary(files.map { ($0.path, $0.blob) }) { first, _ in first }
    paths = Self.inOrder(blobs.keys)
  }

  /// - Throws: `GitError`
  init(workTreeOf repository: GitRepository) throws {
    self.repository = repository
    revision = nil
    blobs = [:]
    paths = Self.inOrder(
      try repository.workTreePaths().filter { Self.isFile(repository.pathFromHere($0)) })
  }

  private static func inOrder(_ paths: some Sequence<String>) -> [String] {
    paths.exact.sorted().map(\.text)
  }

  /// What a link leads to is no part of the repository.
  private static func isFile(_ path: String) -> Bool {
    ArgumentText.path(path).status(followsLinks: false).map(FilePath.Kind.init) == .file
  }

  /// For sentences: `'main'`, `the work tree`.
  var description: String { revision.map { "'\($0)'" } ?? "the work tree" }

  /// The paths of all models, bundles and lone ones.
  var models: Set<ExactText> { paths.compactMap(\.modelPath).exact }

  /// A path as messages show it: `main:Models/App.xcdatamodeld`, or that from the working directory.
  func shown(_ path: String) -> String {
    revision.map { "\($0):\(path)" } ?? repository.pathFromHere(path)
  }

  /// The model at a path: a bundle, a version's folder, a file.
  ///
  /// - Returns: nil where there is none.
  /// - Throws: `GitError`, `ModelBundleError`
  func model(at path: String) throws -> ModelBundle? {
    guard let revision else {
      // A folder whose files are all gone from Git may still have ignored ones.
      guard paths.contains(where: { $0.isPart(of: path) }) else { return nil }
      do {
        return try ModelBundle(at: ArgumentText.path(repository.pathFromHere(path)))
      } catch {
        if case .noModel = error { return nil }
        throw error
      }
    }
    if let file = [path, path + "/contents"].first(where: paths.containsExactly) {
      return try ModelBundle(
        at: ArgumentText.path(file), in: "\(revision):", files: ["": content(of: file)])
    }
    let below = paths.filter { $0.isBelow(path) }
    let files = below.map {
      (ArgumentText.path(String($0.dropFirst(path.count + 1))), content(of: $0))
    }
    let declaration = path + "/.xccurrentversion"
    return try ModelBundle(
      at: ArgumentText.path(path), in: "\(revision):",
      files: Dictionary(files) { first, _ in first },
      declaration: below.containsExactly(declaration) ? { try bytes(of: declaration) } : nil)
  }

  private func content(of path: String) -> ModelContent {
    let (repository, blob) = (repository, blobs[path] ?? "")
    return ModelContent { try repository.bytes(of: blob) }
  }

  /// What a file holds, without the filters of a checkout.
  ///
  /// - Throws: `GitError`, `ModelBundleError`
  func bytes(of path: String) throws -> [UInt8] {
    guard revision == nil else { return try repository.bytes(of: blobs[path] ?? "") }
    return try GivenFile.bytes(of: ArgumentText.path(repository.pathFromHere(path)))
  }

  /// Whether a model is the same on both sides, byte for byte; what is not in a revision is compared by what it
  /// holds.
  func hasEqualFiles(as other: RepositoryState, below path: String) throws -> Bool {
    let own = paths.filter { $0.isPart(of: path) }
    let others = other.paths.filter { $0.isPart(of: path) }
    guard own.isExactly(others) else { return false }
    return try own.allSatisfy { file in
      if let one = blobs[file], let two = other.blobs[file] { return one == two }
      return try bytes(of: file) == other.bytes(of: file)
    }
  }
}

extension String {
  /// Whether a path begins with that of a folder, byte by byte.
  fileprivate func isBelow(_ folder: String) -> Bool { utf8.starts(with: (folder + "/").utf8) }

  /// Whether a path is that of a file or folder, or of something in the folder.
  func isPart(of path: String) -> Bool { isExactly(path) || isBelow(path) }

  /// The model that a file belongs to: the outermost folder that is a bundle or a version.
  fileprivate var modelPath: String? {
    let parts = split(separator: "/", omittingEmptySubsequences: false)
    guard
      let index = parts.firstIndex(where: { part in
        let name = part.lowercased()
        return name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel")
      })
    else { return nil }
    return parts[...index].joined(separator: "/")
  }
}
