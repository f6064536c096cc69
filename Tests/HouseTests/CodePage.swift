import Foundation
import Testing

/// A page that describes code, with the names in its code spans.
struct CodePage: Sendable, CustomTestStringConvertible {
  let path: String
  private let text: String

  init(_ path: String) {
    self.path = path
    text = SourceFolder.text(at: path)
  }

  var testDescription: String { path }

  var headings: [String] {
    lines.filter { $0.hasPrefix("# ") }.map { String($0.dropFirst(2)) }
  }

  /// The contents of code spans, outside of code blocks.
  var names: Set<String> {
    let parts = lines.joined(separator: "\n").components(separatedBy: "`")
    return Set(parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] })
  }

  /// The lines outside of code blocks, which are indented or fenced.
  private var lines: [String] {
    var isBlock = false
    return text.components(separatedBy: "\n").filter { line in
      if line.hasPrefix("```") { isBlock.toggle() }
      return !isBlock && !line.hasPrefix("```") && !line.hasPrefix("    ")
    }
  }
}
