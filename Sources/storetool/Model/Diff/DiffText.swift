/// A comparison as a terminal shows it.
struct DiffText {
  static func text(of models: [ComparedModel]) -> String {
    models.map(page).joined(separator: "\n")
  }

  private static func page(of model: ComparedModel) -> String {
    let versions = model.headline.map { "'\($0)'" }.joined(separator: " → ")
    let title = [model.path.map { "\($0)" }, versions.isEmpty ? nil : versions].compactMap(\.self)
    return title.joined(separator: ": ") + "\n" + model.sections.map(text).joined()
  }

  private static func text(of section: DiffSection) -> String {
    var text = "\n\(section.title)\n"
    if let introduction = section.introduction { text += "  \(introduction)\n" }
    let width = section.lines.compactMap(\.subject?.count).max() ?? 0
    for line in section.lines {
      let subject = line.subject.map {
        $0 + String(repeating: " ", count: width - $0.count + 2)
      }
      let effect = line.effect.map { "  (\($0))" } ?? ""
      text += "  \(subject ?? "")\(line.text)\(effect)\n"
    }
    return text
  }
}
