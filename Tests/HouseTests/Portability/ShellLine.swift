import Foundation

/// A line of the repository that a shell may read, or that names a program and its arguments.
struct ShellLine: Sendable {
  let path: String
  let number: Int
  let text: String

  init(_ path: String, _ number: Int, _ text: String) {
    (self.path, self.number, self.text) = (path, number, text)
  }

  func contains(_ marker: String) -> Bool { strstr(text, marker) != nil }

  /// Whether the line itself is for one system only.
  var asksForTheSystem: Bool { contains("$(uname)") }
}

extension ShellLine {
  /// The lines of all scripts, scenarios, workflows, Python and Ruby files, the string literals of Swift and the shell
  /// blocks of pages.
  static let all = folders.flatMap { folder in
    files(below: folder).flatMap { lines(of: $0, SourceFolder.text(at: $0)) }
  }

  private static let folders = [
    ".ci", ".github", "Benchmarks", "Examples", "Integrations", "Plugins", "Scripts", "Sources",
    "Tests", "docs", ".pre-commit-hooks.yaml", "action.yml", "CHANGELOG.md", "CONTRIBUTING.md",
    "README.md",
  ]

  /// Returns the files below a folder of the repository, or the file itself, without build products and the table of
  /// this rule.
  private static func files(below path: String) -> [String] {
    guard !path.hasSuffix("Tests/HouseTests") else { return [] }
    let url = SourceFolder.repository.appending(path: path)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
      return [path]
    }
    return names.sorted().filter { !$0.hasPrefix(".") }.flatMap { files(below: "\(path)/\($0)") }
  }

  /// Returns the relevant lines of a file.
  static func lines(of path: String, _ text: String) -> [ShellLine] {
    if path.hasSuffix(".swift") {
      return SourceText(text).pieces.filter { $0.part == .literal }
        .map { ShellLine(path, $0.line, $0.text) }
    }
    let all = text.components(separatedBy: "\n").enumerated()
      .map { ShellLine(path, $0.offset + 1, $0.element) }
    if path.contains("/Scenarios/") {
      return all.filter { $0.text.hasPrefix("$ ") || $0.text.hasPrefix("! ") }
        .map { ShellLine(path, $0.number, $0.text.trimmingPrefix("$ ").description) }
    }
    if path.hasSuffix(".md") { return blocks(of: all) }
    let isScript = text.hasPrefix("#") && !path.contains(/\.\w+$/)
    guard isScript || path.contains(/\.(sh|py|rb|ya?ml)$/) else { return [] }
    return all.filter { !$0.text.trimmingCharacters(in: .whitespaces).hasPrefix("#") }
  }

  /// Returns the lines of a page that readers type: in fenced blocks for a shell or for workflows, or indented.
  private static func blocks(of page: [ShellLine]) -> [ShellLine] {
    var language: String?
    return page.compactMap { line in
      let text = line.text.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("```") {
        language = language == nil ? String(text.dropFirst(3)) : nil
        return nil
      }
      let isTyped = language.map(["", "console", "sh", "yaml"].contains)
      guard isTyped ?? line.text.hasPrefix("    ") else { return nil }
      return ShellLine(line.path, line.number, text.trimmingPrefix("$ ").description)
    }
  }
}
