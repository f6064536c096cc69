package import StoreModel
import StorePredicate

/// A Markdown page about a model, with a diagram, the entities, composites, fetch requests and configurations.
///
/// Equal models have equal pages, so that a page can be in version control.
package struct ModelPage {
  let title: String
  let model: DataModel
  let templates: [TemplateNote]

  /// Additional information about a template or a fetched property.
  package struct TemplateNote: Hashable, Sendable {
    let name: String
    let variables: [TypedVariable]
    /// The SQL statement with numbered parameters, or nil if the request can't be used.
    let sql: String?
    /// The parameters in the order of their numbers. Each is a value, or `$NAME` for a variable.
    let parameters: [String]
    /// The reason why the statement is missing.
    let problem: String?

    package init(
      name: String, variables: [TypedVariable], sql: String? = nil, parameters: [String] = [],
      problem: String? = nil
    ) {
      self.name = name
      self.variables = variables
      self.sql = sql
      self.parameters = parameters
      self.problem = problem
    }
  }

  /// - Parameter title: the name of the model, which is the same for all versions.
  package init(of model: DataModel, title: String, templates: [TemplateNote]) {
    self.model = model
    self.title = title
    self.templates = templates
  }

  /// The text, which ends with a line feed.
  package var text: String {
    let sections =
      [head, picture, contents] + model.entities.map(section)
      + [compositeSection, templateSection, configurationSection]
    return Self.paragraphs(sections).joined(separator: "\n") + "\n"
  }

  /// Returns the lines of all parts that aren't empty, separated by blank lines.
  static func paragraphs(_ parts: [[String]]) -> [String] {
    Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
  }

  /// Returns a section, or an empty array if it has no lines.
  private static func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["## \(title)", ""] + lines
  }

  private var head: [String] {
    var facts = [
      "Version \(model.name.markdown)",
      Self.count(model.entities.count, "entity", "entities"),
      Self.count(model.templates.count, "fetch-request template", "fetch-request templates"),
    ]
    let identifiers = model.versionIdentifiers.filter { !$0.isEmpty }
    if !identifiers.isEmpty {
      facts.append("identifiers \(identifiers.map(\.markdownCode).joined(separator: ", "))")
    }
    return ["# \(title.markdown)", "", "\(facts.joined(separator: "; "))."]
  }

  private static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  private var picture: [String] {
    guard !model.entities.isEmpty else { return [] }
    let text = MermaidDiagram(ModelDiagram(of: model)).text
    return ["```mermaid"] + text.split(separator: "\n").map(String.init) + ["```"]
  }

  private var contents: [String] {
    let table = MarkdownTable(
      columns: ["entity", "parent", "class", "comment"],
      rows: model.entities.map {
        [
          link(toEntity: $0.name) + ($0.isAbstract ? " (abstract)" : ""),
          $0.parent.map(link(toEntity:)) ?? "", $0.className?.markdownCode ?? "",
          $0.userInfo.comment?.markdown ?? "",
        ]
      })
    return Self.section("Entities", table.lines)
  }

  /// Returns a link to an entity's section. If the name contains characters other than ASCII letters, digits and
  /// underscores, the section's anchor is uncertain, and the name is returned without a link.
  func link(toEntity name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy(\.isWord)
    return isPlain && model.entity(named: name) != nil
      ? "[\(name.markdown)](#\(name.lowercased()))" : name.markdown
  }
}

extension [String: String] {
  /// The comment in a part's user info, which is the value of the key `comment`, `documentation` or `description`.
  var comment: String? {
    ["comment", "documentation", "description"].lazy.compactMap { key in
      self.first { $0.key.lowercased() == key }?.value
    }.first
  }

  /// All entries in Markdown, sorted by key.
  var markdown: String {
    sorted { $0.key < $1.key }.map { "\($0.key.markdownCode): \($0.value.markdown)" }
      .joined(separator: "<br>")
  }
}

extension ModelPage {
  var compositeSection: [String] {
    let parts = model.composites.sorted { $0.name < $1.name }.map { composite in
      ["### \(composite.name.markdown)", ""] + attributeTable(composite.attributes).lines
    }
    return Self.section("Composites", Self.paragraphs(parts))
  }

  /// The section of fetch requests: the templates, then the requests of fetched properties.
  var templateSection: [String] {
    let parts = (model.templates + model.fetchedPropertyTemplates).map(section)
    return Self.section("Fetch requests", Self.paragraphs(parts))
  }

  private func section(of template: FetchRequestTemplate) -> [String] {
    let note = templates.first { $0.name == template.name }
    var facts = ["Of \(link(toEntity: template.entity))"]
    if template.source != nil { facts.append("a fetched property") }
    if !template.includesSubentities { facts.append("without subentities") }
    if template.limit > 0 { facts.append("at most \(template.limit)") }
    if template.batchSize > 0 { facts.append("in batches of \(template.batchSize)") }
    if template.returnsDistinctResults { facts.append("distinct") }
    switch template.resultType {
    case .objects: break
    case .objectIDs: facts.append("object IDs")
    case .dictionaries: facts.append("dictionaries")
    case .count: facts.append("the count")
    }
    let variables = (note?.variables ?? []).map {
      ["$\($0.name)".markdownCode, $0.type.description.markdown]
    }
    return Self.paragraphs([
      ["### \(template.name.markdown)"], ["\(facts.joined(separator: ", "))."],
      template.predicateText?.text.markdownBlock("") ?? [],
      MarkdownTable(columns: ["variable", "type"], rows: variables).lines,
      note.map(statement) ?? [],
    ])
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
    let rows = model.configurations.map {
      [$0.name.markdown, $0.entities.map(link(toEntity:)).joined(separator: ", ")]
    }
    let table = MarkdownTable(columns: ["configuration", "entities"], rows: rows)
    return Self.section("Configurations", table.lines)
  }
}
