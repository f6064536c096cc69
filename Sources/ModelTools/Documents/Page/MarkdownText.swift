import StoreDiagnostics

extension String {
  /// As text in a paragraph or a cell of a table: nothing in it is markup.
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

  /// As code in a paragraph or a cell of a table, where a bar would end the cell even in code.
  var markdownCode: String {
    let text = ControlCharacters.escaped(in: self).replacing("|", with: "\\|")
    guard !text.isEmpty else { return "" }
    let fence = String(repeating: "`", count: text.longestRun(of: "`") + 1)
    // A space beside the fence is dropped.
    let isPadded = text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ")
    return isPadded ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  /// As a block of code.
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

/// A table of Markdown, without the columns that are empty.
struct MarkdownTable {
  let columns: [String]
  /// Cells in Markdown.
  var rows: [[String]] = []

  /// Nothing where there are no rows.
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
