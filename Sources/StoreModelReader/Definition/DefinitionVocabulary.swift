extension XMLVocabulary {
  /// The elements of a migration's file.
  static let definition = XMLVocabulary(words: [
    "migration": Word(attributes: ["from", "to"], children: ["entity", "drop", "sql"]),
    "entity": Word(
      attributes: ["name", "source", "where"], children: ["attribute", "relationship"]),
    "attribute": Word(attributes: ["name", "value", "default"], children: []),
    "relationship": Word(attributes: ["name", "path", "match"], children: []),
    "drop": Word(attributes: ["entity", "property", "where"], children: []),
    "sql": Word(attributes: ["when"], children: []),
  ])
}
