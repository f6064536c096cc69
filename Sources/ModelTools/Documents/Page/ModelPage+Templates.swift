import StoreModel
import StorePredicate

extension ModelPage {
  var compositeSection: [String] {
    let parts = model.composites.sorted { $0.name < $1.name }.map { composite in
      ["### \(composite.name.markdown)", ""] + attributeTable(composite.attributes).lines
    }
    return parts.isEmpty ? [] : ["## Composites", ""] + parts.joined(separator: [""])
  }

  /// Templates, then the requests of fetched properties.
  var templateSection: [String] {
    let parts = (model.templates + model.fetchedPropertyTemplates).map(section)
    return parts.isEmpty ? [] : ["## Fetch requests", ""] + parts.joined(separator: [""])
  }

  private func section(of template: FetchRequestTemplate) -> [String] {
    let note = templates.first { $0.name == template.name }
    var facts = ["Of \(link(toEntity: template.entity))"]
    if template.source != nil { facts.append("a fetched property") }
    if !template.includesSubentities { facts.append("without sub-entities") }
    if template.limit > 0 { facts.append("at most \(template.limit)") }
    if template.batchSize > 0 { facts.append("in batches of \(template.batchSize)") }
    if template.returnsDistinctResults { facts.append("distinct") }
    switch template.resultType {
    case .objects: break
    case .objectIDs: facts.append("object IDs")
    case .dictionaries: facts.append("dictionaries")
    case .count: facts.append("the count")
    }
    var table = MarkdownTable(columns: ["variable", "type"])
    table.rows = (note?.variables ?? []).map {
      ["$\($0.name)".markdownCode, $0.type.description.markdown]
    }
    let parts = [
      ["### \(template.name.markdown)"], ["\(facts.joined(separator: ", "))."],
      template.predicateText?.text.markdownBlock("") ?? [], table.lines,
      note.map(statement) ?? [],
    ]
    return Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  private func statement(of note: TemplateNote) -> [String] {
    if let problem = note.problem { return ["It can't be used: \(problem.markdown)"] }
    guard let sql = note.sql else { return [] }
    let parameters = note.parameters.enumerated().map { index, text in
      "\("?\(index + 1)".markdownCode) is \(text.markdownCode)"
    }
    return sql.markdownBlock("sql")
      + (parameters.isEmpty ? [] : ["", "\(parameters.joined(separator: ", "))."])
  }

  var configurationSection: [String] {
    var table = MarkdownTable(columns: ["configuration", "entities"])
    table.rows = model.configurations.map { configuration in
      [
        configuration.name.markdown,
        configuration.entities.map(link(toEntity:)).joined(separator: ", "),
      ]
    }
    return table.lines.isEmpty ? [] : ["## Configurations", ""] + table.lines
  }
}
