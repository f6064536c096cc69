public import Foundation

/// A folder that exists as long as the value that owns it.
public final class TemporaryFolder: Sendable {
  public let url: URL

  /// The system's folder for temporary files. On macOS a symbolic link leads there, and Git prints paths without links.
  private static let parent: URL = {
    let folder = FileManager.default.temporaryDirectory
    guard let path = realpath(folder.path, nil) else { return folder }
    defer { free(path) }
    return URL(fileURLWithPath: String(cString: path), isDirectory: true)
  }()

  public init() throws {
    url = Self.parent.appendingPathComponent("storetool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Whether two names that differ only by case or normalization belong to two files on this file system. On APFS, they
  /// belong to one file.
  public static let distinguishesSpellings: Bool = {
    guard let folder = try? TemporaryFolder(), (try? folder.write("", to: "caf\u{E9}")) != nil
    else { return true }
    return ["CAF\u{E9}", "cafe\u{301}"].allSatisfy {
      !FileManager.default.fileExists(atPath: folder.path($0))
    }
  }()

  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file into the folder and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}
