public import Foundation

/// The collection of real models and stores beside a developer's checkout. It isn't part of the
/// repository. `Corpus.isPresent` enables a test that requires it, so a skipped test is reported.
public enum Corpus {
  /// `shared/` beside the repository.
  public static let shared = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared")

  public static let root = shared.appendingPathComponent("corpus")
  public static var models: URL { root.appendingPathComponent("models") }

  /// The folders with stores, which don't contain each other.
  private static let storeFolders = ["stores", "stores-2"].map(root.appendingPathComponent)

  /// All stores, as paths below their folder.
  public static let storePaths: [String] =
    isPresent
    ? storeFolders.flatMap { folder in
      files(below: folder) { file in
        !["-wal", "-shm"].contains { file.path.hasSuffix($0) } && !file.hasDirectoryPath
      }.map { String($0.path.dropFirst(folder.path.count + 1)) }
    } : []

  /// - Parameter path: one of `storePaths`.
  public static func store(_ path: String) -> URL {
    let places = storeFolders.map { $0.appendingPathComponent(path) }
    return places.first { FileManager.default.fileExists(atPath: $0.path) } ?? places[0]
  }

  public static var isPresent: Bool { FileManager.default.fileExists(atPath: root.path) }

  public static let absence = "the corpus (../shared) isn't available"

  /// The rows of a table with a header line, each by column name.
  public static func table(_ name: String) throws -> [[String: String]] {
    let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map {
      Dictionary(zip(header, $0)) { first, _ in first }
    }
  }

  /// All files below `folder` that satisfy `isIncluded`, sorted by path.
  public static func files(below folder: URL, where isIncluded: (URL) -> Bool) -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).filter(isIncluded)
      .sorted { $0.path < $1.path }
  }
}
