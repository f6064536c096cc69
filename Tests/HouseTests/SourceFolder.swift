import Foundation

/// The sources of the repository, read as text.
enum SourceFolder {
  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files by path below `Sources`.
  static let files = swiftFiles(below: "Sources")

  /// The Swift files below a folder of the repository, by path below that folder.
  static func swiftFiles(below folder: String) -> [(path: String, text: SourceText)] {
    paths(below: repository.appending(path: folder)).filter { $0.hasSuffix(".swift") }.map { path in
      (path, SourceText(text(at: "\(folder)/\(path)")))
    }
  }

  /// Returns the paths of all files below a folder, in order.
  static func paths(below folder: URL) -> [String] {
    let found = FileManager.default.enumerator(atPath: folder.path)
    return (found?.compactMap { $0 as? String } ?? []).sorted()
  }

  /// Returns the text of a file; empty if it doesn't exist.
  static func text(at path: String) -> String {
    let bytes = FileManager.default.contents(atPath: repository.appending(path: path).path)
    return String(decoding: bytes ?? Data(), as: UTF8.self)
  }
}
