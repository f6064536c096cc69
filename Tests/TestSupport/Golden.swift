import Foundation
public import Testing

/// Compares text with a golden file beside the test; the failure shows the lines that differ.
///
/// `GOLDEN=record swift test` writes the files, and fails all the same: a recording is reviewed
/// before it counts.
public enum Golden {
  public static func expect(
    _ actual: String, matches name: String, file: StaticString = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let url = URL(fileURLWithPath: "\(file)").deletingLastPathComponent()
      .appendingPathComponent("Fixtures").appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["GOLDEN"] == "record" {
      record(actual, at: url, sourceLocation)
      return
    }
    guard let expected = try? String(contentsOf: url, encoding: .utf8) else {
      Issue.record(
        "no golden file \(name); GOLDEN=record makes it from:\n\(actual)",
        sourceLocation: sourceLocation)
      return
    }
    guard expected != actual else { return }
    Issue.record(
      "\(name) differs:\n\(lineDifference(from: expected, to: actual))",
      sourceLocation: sourceLocation)
  }

  private static func record(_ text: String, at url: URL, _ sourceLocation: SourceLocation) {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
      Issue.record("recorded \(url.lastPathComponent)", sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }

  /// `-` lines were expected, `+` lines came instead.
  public static func lineDifference(from expected: String, to actual: String) -> String {
    let old = expected.components(separatedBy: "\n")
    let new = actual.components(separatedBy: "\n")
    return new.difference(from: old).map { change in
      switch change {
      case .remove(let line, let text, _): (line, 0, "- \(line + 1): \(text)")
      case .insert(let line, let text, _): (line, 1, "+ \(line + 1): \(text)")
      }
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2).joined(separator: "\n")
  }
}
