import StoreModel
import StorePredicate

extension ModelPage {
  func section(of entity: EntityDescription) -> [String] {
    Self.paragraphs([
      ["### \(entity.name.markdown)"], facts(of: entity),
      attributeTable(entity.attributes).lines, relationshipTable(of: entity).lines,
      fetchedTable(of: entity).lines, indexTable(of: entity).lines,
    ])
  }

  private func facts(of entity: EntityDescription) -> [String] {
    var facts: [String] = []
    if entity.isAbstract { facts.append("Abstract: the entity itself has no rows.") }
    let ancestors = model.ancestors(of: entity)
    if let parent = ancestors.first {
      let inherited = ancestors.flatMap { ancestor in
        ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name)
          + ancestor.fetchedProperties.map(\.name)
      }.sorted()
      let names = inherited.map(\.markdownCode).joined(separator: ", ")
      facts.append(
        "Inherits from \(link(toEntity: parent.name))" + (names.isEmpty ? "." : ": \(names)."))
    }
    let children = model.children(of: entity).map { link(toEntity: $0.name) }
    if !children.isEmpty { facts.append("Parent of \(children.joined(separator: ", ")).") }
    if let name = entity.className {
      let generation = entity.codeGeneration.map { ", code generation \($0.markdownCode)" }
      facts.append("Class \(name.markdownCode)\(generation ?? "").")
    }
    for constraint in entity.uniquenessConstraints {
      facts.append("Unique: \(constraint.map(\.markdownCode).joined(separator: " with ")).")
    }
    if let identifier = entity.renamingIdentifier {
      facts.append("Renaming identifier \(identifier.markdownCode).")
    }
    if let modifier = entity.versionHashModifier {
      facts.append("Hash modifier \(modifier.markdownCode).")
    }
    if !entity.userInfo.isEmpty { facts.append("User info: \(entity.userInfo.markdown)") }
    return facts.enumerated().map { $0 == 0 ? $1 : "\n" + $1 }
  }

  func attributeTable(_ attributes: [AttributeDescription]) -> MarkdownTable {
    MarkdownTable(
      columns: ["attribute", "type", "optional", "default", "bounds", "options", "user info"],
      rows: attributes.map {
        [
          $0.name.markdownCode, $0.type.markdown, $0.isOptional ? "optional" : "",
          $0.defaultValue?.markdown ?? "", $0.validation.markdown(of: $0.type),
          $0.options.joined(separator: "<br>"), $0.userInfo.markdown,
        ]
      })
  }

  private func relationshipTable(of entity: EntityDescription) -> MarkdownTable {
    MarkdownTable(
      columns: [
        "relationship", "destination", "cardinality", "inverse", "delete rule", "options",
        "user info",
      ],
      rows: entity.relationships.map {
        [
          $0.name.markdownCode, link(toEntity: $0.destination),
          "\($0.isToMany ? "to-many" : "to-one"), \(ModelDiagram.Count($0))",
          $0.inverse?.markdownCode ?? "none", $0.deleteRule.rawValue,
          $0.options.joined(separator: "<br>"), $0.userInfo.markdown,
        ]
      })
  }

  private func fetchedTable(of entity: EntityDescription) -> MarkdownTable {
    MarkdownTable(
      columns: ["fetched property", "entity", "predicate", "user info"],
      rows: entity.fetchedProperties.map {
        [
          $0.name.markdownCode, link(toEntity: $0.request.entity),
          $0.request.predicateText?.text.markdownCode ?? "", $0.userInfo.markdown,
        ]
      })
  }

  private func indexTable(of entity: EntityDescription) -> MarkdownTable {
    MarkdownTable(
      columns: ["index", "over", "where"],
      rows: entity.indexes.map {
        [
          $0.name.isEmpty ? "without a name" : $0.name.markdownCode,
          $0.elements.map(\.markdown).joined(separator: ", "),
          $0.partialPredicate?.markdownCode ?? "",
        ]
      })
  }
}

extension AttributeType {
  fileprivate var markdown: String {
    if case .composite(let name) = self { "composite \(name.markdown)" } else { name }
  }
}

extension AttributeDescription {
  /// The options other than type, default and bounds, in Markdown.
  fileprivate var options: [String] {
    [
      ("transient", isTransient), ("indexed", isIndexed),
      ("stored in a file where large", allowsExternalStorage),
      ("kept in the history of a deletion", isPreservedAfterDeletion),
      ("encrypted in CloudKit", allowsCloudEncryption),
      ("indexed by Spotlight", isIndexedBySpotlight), ("scalar", usesScalarValueType),
    ].filter(\.1).map(\.0)
      + labelled([
        ("derived from", derivation?.format), ("transformer", valueTransformer),
        ("class", customClassName), ("renaming identifier", renamingIdentifier),
        ("hash modifier", versionHashModifier),
      ])
  }
}

extension RelationshipDescription {
  fileprivate var options: [String] {
    [("transient", isTransient), ("indexed", isIndexed)].filter(\.1).map(\.0)
      + labelled([
        ("renaming identifier", renamingIdentifier), ("hash modifier", versionHashModifier),
      ])
  }
}

private func labelled(_ texts: [(label: String, text: String?)]) -> [String] {
  texts.compactMap { label, text in text.map { "\(label) \($0.markdownCode)" } }
}

extension AttributeDescription.Validation {
  /// Returns the bounds in words, such as `1 to 20 characters` or `at least 0`, and the pattern.
  fileprivate func markdown(of type: AttributeType) -> String {
    let unit = type == .string ? " characters" : ""
    let range: String? =
      switch (minimum?.markdown, maximum?.markdown) {
      case (let low?, let high?): "\(low) to \(high)\(unit)"
      case (let low?, nil): "at least \(low)\(unit)"
      case (nil, let high?): "at most \(high)\(unit)"
      case (nil, nil): nil
      }
    return [range, pattern.map { "matches \($0.markdownCode)" }].compactMap { $0 }
      .joined(separator: "<br>")
  }
}

extension DataValue {
  fileprivate var markdown: String {
    if case .date(let seconds) = self, let text = ISODate.text(seconds) { return text }
    return FormatExpression.value(self).format.markdownCode
  }
}

extension FetchIndex.Element {
  fileprivate var markdown: String {
    target.text.markdownCode + (kind == .rTree ? " (R-tree)" : "")
      + (isAscending ? "" : " descending")
  }
}
