import StoreDiagnostics
import StoreModelReader

/// A `.gitattributes`, of which all that others wrote stays byte for byte: what was added goes without a trace.
struct AttributesFile {
  let path: FilePath

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
      guard path.kind != nil else { return nil }
      do {
        return try path.contents()
          .split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
      } catch {
        throw .unreadable(path: path, reason: error.reason)
      }
    }
  }

  /// Without content there is no file.
  private func write(_ lines: [[UInt8]]) throws(GitError) {
    guard lines != [[]] else {
      do {
        return try path.removeFile()
      } catch {
        throw .unwritable(path: path, reason: error.reason)
      }
    }
    do throws(FileWriteError) {
      try StagedFile.replace(
        path, with: Array(lines.joined(separator: [10])), makesFolders: true)
    } catch {
      throw .unwritable(path: path, reason: error.reason)
    }
  }
}
