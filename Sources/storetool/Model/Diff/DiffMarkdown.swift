/// A comparison as a comment of a pull request shows it.
struct DiffMarkdown {
  /// - Parameter models: empty where nothing has changed.
  static func text(of models: [ComparedModel]) -> String {
    guard !models.isEmpty else { return "No model has changed.\n" }
    return models.map(page).joined(separator: "\n")
  }

  private static func page(of model: ComparedModel) -> String {
    let versions = model.headline.map(code).joined(separator: " → ")
    let title = [model.path.map { code("\($0)") }, versions.isEmpty ? nil : versions].compactMap(
      \.self)
    return "### \(title.joined(separator: ": "))\n" + model.sections.map(text).joined()
  }

  private static func text(of section: DiffSection) -> String {
    var text = "\n**\(section.title)**\n\n"
    if let introduction = section.introduction { text += "\(escaped(introduction))\n" }
    guard !section.lines.isEmpty else { return text }
    if section.introduction != nil { text += "\n" }
    guard section.lines.contains(where: { $0.effect != nil }) else {
      return text + section.lines.map { "- \(line($0))\n" }.joined()
    }
    text += "| | change | stores |\n|---|---|---|\n"
    for line in section.lines {
      let subject = line.subject.map(code) ?? ""
      let cells = [subject, escaped(line.text), line.effect ?? ""]
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    return text
  }

  private static func line(_ line: DiffSection.Line) -> String {
    line.subject.map { "\(code($0)): \(escaped(line.text))" } ?? escaped(line.text)
  }

  /// A name as code; one with a grave accent in it takes two around it. A bar would end a table's cell.
  private static func code(_ name: String) -> String {
    let text = oneLine(name).replacing("|", with: "\\|")
    return text.contains("`") ? "`` \(text) ``" : "`\(text)`"
  }

  /// Text that is nothing but text.
  private static func escaped(_ text: String) -> String {
    oneLine(text).map { "\\`*_{}[]<>#|~".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func oneLine(_ text: String) -> String {
    text.replacing("\n", with: " ").replacing("\r", with: " ")
  }
}
