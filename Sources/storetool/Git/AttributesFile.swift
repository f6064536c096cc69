#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A `.gitattributes`, of which all that others wrote stays byte for byte: what was added goes without a trace.
struct AttributesFile {
  let path: String

  /// Adds lines at the end.
  ///
  /// - Returns: each line, and whether it was not there.
  /// - Throws: `GitError`
  func adding(
    _ lines: [String], dryRun: Bool
  ) throws(GitError) -> [(text: String, changes: Bool)] {
    var content = try self.content ?? [[]]
    let known = Set(content.map(Self.text))
    let missing = lines.filter { !known.contains($0) }
    let ending: [UInt8] = content.contains { $0.last == Self.carriageReturn } ? [13] : []
    // Behind the last newline is an empty line; where there is none, none is added.
    let end = content.last?.isEmpty == true ? content.count - 1 : content.count
    content.insert(contentsOf: missing.map { Array($0.utf8) + ending }, at: end)
    if !missing.isEmpty, !dryRun { try write(content) }
    return lines.map { ($0, missing.contains($0)) }
  }

  /// - Returns: each line, and whether it was there.
  /// - Throws: `GitError`
  func removing(
    _ lines: [String], dryRun: Bool
  ) throws(GitError) -> [(text: String, changes: Bool)] {
    guard let content = try self.content else { return lines.map { ($0, false) } }
    let known = Set(content.map(Self.text))
    let rest = content.filter { !lines.contains(Self.text(of: $0)) }
    if rest.count < content.count, !dryRun { try write(rest) }
    return lines.map { ($0, known.contains($0)) }
  }

  private static let carriageReturn: UInt8 = 13

  private static func text(of line: [UInt8]) -> String {
    String(decoding: line.last == carriageReturn ? line.dropLast() : line[...], as: UTF8.self)
  }

  /// The lines, without their newlines; nil where there is no file.
  private var content: [[UInt8]]? {
    get throws(GitError) {
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      guard !isFolder else { throw .unreadable(path: path, reason: "it is a folder") }
      do {
        return try Data(contentsOf: URL(filePath: path))
          .split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
      } catch {
        throw .unreadable(path: path, reason: Self.reason(error))
      }
    }
  }

  /// Without content there is no file.
  private func write(_ lines: [[UInt8]]) throws(GitError) {
    let files = FileManager.default
    do {
      guard lines != [[]] else { return try files.removeItem(atPath: path) }
      let folder = URL(filePath: path).deletingLastPathComponent().path
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // A link to the file stays one.
      let target = URL(filePath: path).resolvingSymlinksInPath()
      try Data(lines.joined(separator: [10])).write(to: target, options: .atomic)
    } catch {
      throw .unwritable(path: path, reason: Self.reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileWriteNoPermission, .fileReadNoPermission: "permission denied"
    case .fileWriteOutOfSpace: "the disk is full"
    default: "\(error)"
    }
  }
}
