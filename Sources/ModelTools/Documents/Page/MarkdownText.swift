import StoreDiagnostics

extension String {
  /// The text without markup, for a paragraph or a cell of a table.
  var markdown: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "<br>"
      case "\\", "`", "*", "_", "{", "}", "[", "]", "<", ">", "#", "|", "~", "$", "&":
        text += "\\"
        text.unicodeScalars.append(scalar)
      default: text += ControlCharacters.escaped(in: String(scalar))
      }
    }
    return text
  }

  /// The text as code, for a paragraph or a cell of a table, where a bar would end the cell even in code.
  var markdownCode: String {
    let text = ControlCharacters.escaped(in: self).replacing("|", with: "\\|")
    guard !text.isEmpty else { return "" }
    let fence = String(repeating: "`", count: text.longestRun(of: "`") + 1)
    // A space next to the fence is removed.
    let isPadded = text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ")
    return isPadded ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  /// Returns the text as a code block.
  func markdownBlock(_ language: String) -> [String] {
    let text = ControlCharacters.escaped(in: self, keeping: ["\n", "\t"])
    let fence = String(repeating: "`", count: max(3, text.longestRun(of: "`") + 1))
    return [fence + language]
      + text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init) + [fence]
  }

  private func longestRun(of character: Character) -> Int {
    split { $0 != character }.map(\.count).max() ?? 0
  }
}

/// A Markdown table without empty columns.
struct MarkdownTable {
  let columns: [String]
  /// Cells in Markdown.
  var rows: [[String]] = []

  /// The lines, or none without rows.
  var lines: [String] {
    guard !rows.isEmpty else { return [] }
    let shown = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    func line(_ cells: [String]) -> String {
      "| \(shown.map { cells[$0] }.joined(separator: " | ")) |"
    }
    let rule = "|\(String(repeating: "---|", count: shown.count))"
    return [line(columns), rule] + rows.map(line)
  }
}
