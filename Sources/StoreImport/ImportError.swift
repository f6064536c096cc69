import StoreCore
package import StoreDiagnostics

/// The reason why records can't be imported.
package enum ImportError: Error, Hashable {
  case rulesWithoutEntity
  case badRule(ImportRule, RuleIssue)
  /// The path of the records doesn't exist. Contains the path up to the first missing key.
  case noRoot([String])
  /// The value at the path of the records is neither an array nor an object.
  case noRecords(String)
  case notAnObject(String)
  /// `$entity` or `$id` isn't a string.
  case notAText(String, String)
  case noEntity
  /// An object doesn't contain any JSON key that is a property.
  case noProperty([String], entity: String, known: [String], path: [String])
  case unknownEntity(String, known: [String])
  case abstractEntity(String, path: [String])
  case wrongEntity(String, expected: String, path: [String])
  /// - Parameter isMember: whether the value is a member of an array.
  case notATarget(String, path: [String], isMember: Bool)
  case notAnArray(String, path: [String])
  /// An object or an array as the value of an attribute.
  case notAValue(String, attribute: String)
  /// A reference to a row of an entity that isn't the relationship's destination.
  case wrongTarget(Reference, entity: String, expected: String)
  /// References that are neither the `$id` of a record nor the object ID or key attribute's value of a row.
  case dangling([Reference])
  case repeatedIdentity(String)
  /// Several rows have the reference as the value of the key attribute.
  case severalRows(Reference, key: String)
  /// An object has the same import key as another object or an existing row, but a to-one relationship differs.
  case contradiction(Reference)
  /// An import key of the caller contains a name that isn't a stored attribute, or is a derived attribute.
  case badKey(String, entity: String, known: [String])
  /// The `$id` of an object identifies a row of another entity than the object's.
  case otherRow(String, entity: String, actual: String)
  /// Two records link a row to different partners, but it can have only one.
  case contradictingLinks(Reference)
  /// A row would lose a required partner.
  case lostPartner(Reference, property: String)
  /// In a strict import, the numbers of occurrences of JSON keys without a property, by path.
  case ignoredKeys([String: Int])

  package enum RuleIssue: Hashable {
    case throughToMany(String)
    case noRelationship(String, entity: String)
    case unknownKey(String, entity: String, known: [String])
  }

  /// A relationship of a record and its target, for messages.
  package struct Reference: Hashable {
    package var relationship: String
    package var target: String
    /// The number of the first record with this target, counted in the record's own file.
    package var record: Int
    /// The file of the record, or nil if the import has only one file.
    package var file: String?
    /// Whether the relationship is required. It is only determined for missing targets.
    package var isRequired = false
  }
}

extension ImportError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .rulesWithoutEntity:
      DiagnosticMessage(
        .error, "import.map-without-entity", .rulesWithoutEntity, cause: .usage
      ).helping(.importing(.chooseEntity(orTagRecords: false)))
    case .badRule(let rule, let fault): Self.diagnostic(of: fault, in: rule)
    case .noRoot(let path):
      .error(
        "import.no-root", "the document doesn't have a value at '\(path.joined(separator: "."))'")
    case .noRecords(let kind):
      .error("import.no-records", "records must be objects, not \(kind)")
        .helping(.importing(.chooseRoot))
    case .notAnObject(let kind):
      .error("import.not-an-object", "a record must be an object, not \(kind)")
    case .notAText(let key, let kind):
      .error("import.not-a-text", "'\(key)' requires text, not \(kind)")
    case .noEntity:
      .error("import.no-entity", "the record doesn't specify its entity")
        .helping(.importing(.chooseEntity(orTagRecords: true)))
    case .noProperty(let keys, let entity, let known, let path):
      Self.diagnostic(ofUnknown: keys, of: entity, known, path)
    case .unknownEntity(let name, let known):
      .error("model.unknown-entity", "the model has no entity '\(name)'", cause: .notFound)
        .didYouMean(name, among: known, elseListing: "its entities are")
    case .abstractEntity(let name, let path):
      .error(
        "import.abstract-entity", "\(Self.prefix(path))'\(name)' is abstract, so it has no rows"
      ).helping("specify the subentity with \"$entity\"")
    case .wrongEntity(let name, let expected, let path):
      .error(
        "import.wrong-entity",
        "\(Self.prefix(path))'\(name)' isn't '\(expected)' or a subentity of it"
      )
    case .notATarget(let kind, let path, let isMember):
      .error(
        "import.not-a-target",
        isMember
          ? "the value\(Self.place(path)) belongs to a to-many relationship, so a member can't be \(kind)"
          : "the value\(Self.place(path)) belongs to a to-one relationship, so it can't be \(kind)"
      ).helping(Self.referenceForms)
    case .notAnArray(let kind, let path):
      .error(
        "import.not-an-array",
        "the value\(Self.place(path)) belongs to a to-many relationship, so it must be an array, not \(kind)"
      )
    case .notAValue(let kind, let attribute):
      .error("import.not-a-value", "'\(attribute)' requires a single value, not \(kind)")
        .helping(.importing(.mapInside(attribute: attribute)))
    case .wrongTarget(let reference, let entity, let expected):
      .error(
        "import.wrong-entity",
        "\(reference.recordName): '\(reference.relationship)' refers to '\(expected)', "
          + "but '\(reference.target)' is an object of '\(entity)'")
    case .dangling(let references): Self.diagnostic(of: references)
    case .repeatedIdentity(let identity):
      .error("import.repeated-id", "two records have the $id '\(identity)'")
    case .severalRows(let reference, let key):
      .error(
        "value.several-matches",
        "\(reference.recordName): '\(reference.relationship)' refers to '\(reference.target)', "
          + "but several rows have this \(key)"
      ).helping("write the object ID of the row")
    case .contradiction(let reference):
      .error(
        "import.contradiction",
        "\(reference.recordName): '\(reference.relationship)' has a different value in another record "
          + "or row with the same key"
      ).helping(.importing(.chooseConflictPolicy))
    case .badKey(let name, let entity, let known):
      .error(
        "import.bad-key", "'\(name)' isn't a stored attribute of '\(entity)'", cause: .notFound
      ).didYouMean(name, among: known)
    case .otherRow(let identity, let entity, let actual):
      .error("import.other-row", "'\(identity)' is a row of '\(actual)', not of '\(entity)'")
        .helping("omit \"$id\" for a new row, or correct \"$entity\"")
    case .contradictingLinks(let reference):
      .error(
        "import.contradiction",
        "\(reference.recordName): '\(reference.relationship)' refers to \(reference.target), but "
          + "another record links one of the two rows to a different row"
      ).helping("change the relationship on one side only, or in the same way on both sides")
    case .lostPartner(let reference, let property):
      .error(
        "value.missing",
        "\(reference.recordName): '\(reference.relationship)' would leave \(reference.target) "
          + "without '\(property)', which the model requires")
    case .ignoredKeys(let keys):
      .error(
        "import.unknown-keys",
        "no property matches the \("key".plural(keys.count)) "
          + Self.list(keys.sorted { $0.key < $1.key }.map { "'\($0.key)'" })
      ).helping(.importing(.ignoreOrMapKeys(key: keys.keys.min() ?? "")))
    }
  }

  private static func diagnostic(
    ofUnknown keys: [String], of entity: String, _ known: [String], _ path: [String]
  ) -> DiagnosticMessage {
    let diagnostic = DiagnosticMessage.error(
      "import.no-property",
      "none of \(path.isEmpty ? "the record's keys" : "the keys\(place(path))") "
        + "(\(list(keys.map { "'\($0)'" }))) is a property of '\(entity)'")
    if keys.count == 1, let remedy = DiagnosticRemedy.delimiter(in: keys[0], known) {
      return diagnostic.helping(remedy)
    }
    return diagnostic.didYouMean(keys[0], among: known)
  }

  private static func diagnostic(of fault: RuleIssue, in rule: ImportRule) -> DiagnosticMessage {
    switch fault {
    case .throughToMany(let key):
      DiagnosticMessage(.error, "import.map-to-many", .ruleThroughToMany(rule: rule.text, key: key))
    case .noRelationship(let key, let entity):
      DiagnosticMessage(
        .error, "import.map-no-relationship",
        .ruleWithoutRelationship(rule: rule.text, key: key, entity: entity))
    case .unknownKey(let key, let entity, let known):
      DiagnosticMessage(
        .error, "import.map-unknown-key",
        .ruleWithUnknownProperty(rule: rule.text, key: key, entity: entity), cause: .notFound
      ).didYouMean(key, among: known)
    }
  }

  private static func diagnostic(of references: [Reference]) -> DiagnosticMessage {
    let shown = references.prefix(3).map {
      "\($0.recordName): '\($0.relationship)' refers to '\($0.target)'"
    }
    let rest = references.count > 3 ? "; and \(references.count - 3) more" : ""
    return .error(
      "import.dangling-reference",
      "\(shown.joined(separator: "; "))\(rest), but "
        + (references.count == 1
          ? "this value doesn't identify a record or row"
          : "these values don't identify records or rows")
    ).helping(referenceForms).helping(.importing(.identifyRows)).helping(
      references.contains(where: \.isRequired)
        ? DiagnosticRemedy.text("import the file that contains the missing row in the same run")
        : .importing(.readTogetherOrSkip))
  }

  /// A hint that lists the valid values of a relationship.
  private static let referenceForms: DiagnosticRemedy = """
    the value can be a nested object, the full object ID of a row, the "$id" of a record, or the value of an attribute \
    that identifies rows
    """

  private static func prefix(_ path: [String]) -> String {
    path.isEmpty ? "" : "at '\(path.joined(separator: "."))', "
  }

  private static func place(_ path: [String]) -> String {
    path.isEmpty ? "" : " at '\(path.joined(separator: "."))'"
  }

  private static func list(_ names: [String]) -> String {
    names.count <= 5
      ? names.joined(separator: ", ")
      : names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) more keys"
  }
}

extension ImportError.Reference {
  fileprivate var recordName: String {
    "record \(record)" + (file.map { " of \($0)" } ?? "")
  }
}
