import StoreDiagnostics

extension String {
  /// The text in Markdown with escaped markup characters, for a paragraph or a cell of a table.
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

  /// The text as inline code, for a paragraph or a cell of a table. Bars are escaped, because a bar would end a cell
  /// even in code.
  var markdownCode: String {
    let text = ControlCharacters.escaped(in: self).replacing("|", with: "\\|")
    guard !text.isEmpty else { return "" }
    let fence = String(repeating: "`", count: text.longestRun(of: "`") + 1)
    // Markdown removes a space next to the fence, and a backtick next to the fence would be a part of it.
    let isPadded = text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ")
    return isPadded ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  /// Returns the lines of a Markdown code block that contains the text.
  func markdownBlock(_ language: String) -> [String] {
    let text = ControlCharacters.escaped(in: self, keeping: ["\n", "\t"])
    let fence = String(repeating: "`", count: max(3, text.longestRun(of: "`") + 1))
    return [fence + language]
      + text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [fence]
  }

  private func longestRun(of character: Character) -> Int {
    split { $0 != character }.map(\.count).max() ?? 0
  }
}

/// A Markdown table without empty columns.
struct MarkdownTable {
  let columns: [String]
  /// The cells of each row, in Markdown.
  let rows: [[String]]

  /// The lines of the table, or an empty array if the table has no rows.
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
