import StoreDiagnostics

/// An error in a migration file that can be found without the models. The issues are never warnings, because ignoring a
/// part of the file would change the migrated rows.
enum DefinitionIssue: ModelIssue, Hashable {
  case wrongRoot(String)
  case unknown(XMLVocabulary.UnknownName)
  case missing(attribute: String, element: String)
  /// The element has none of these attributes, but requires at least one.
  case missingOne(of: [String], element: String)
  /// The element has both attributes, but only one of them is allowed.
  case both(String, String, element: String)
  case unknownWord(String, attribute: String, known: [String])
  case duplicate(String, entity: String, firstLine: Int)
  case strayText(element: String)
  case emptyStatement
  case otherVersion(String, attribute: String, fileSays: String)

  var diagnostic: DiagnosticMessage {
    switch self {
    case .wrongRoot(let name):
      failure(
        "not-a-migration",
        "the root element is '\(name)', not 'migration', so the file isn't a definition of a migration"
      )
      .helping(.migration(.writeDefinition))
    case .unknown(.element(let name, let parent, let known)):
      failure("unknown-element", "unknown element '\(name)' in '\(parent)'")
        .didYouMean(name, among: known, elseListing: "it can contain")
    case .unknown(.attribute(let name, let element, let known)):
      failure("unknown-attribute", "unknown attribute '\(name)' of '\(element)'")
        .didYouMean(name, among: known, elseListing: "its attributes are")
    case .missing(let attribute, let element):
      failure("missing-attribute", "the element '\(element)' requires the attribute '\(attribute)'")
        .helping("add \(attribute)=\"…\"")
    case .missingOne(let attributes, let element):
      failure(
        "missing-attribute",
        "the element '\(element)' requires \(attributes.map { "'\($0)'" }.joined(separator: " or "))"
      )
      .helping("add \(attributes.map { "\($0)=\"…\"" }.joined(separator: " or "))")
    case .both(let first, let second, let element):
      failure("both", "the element '\(element)' has both '\(first)' and '\(second)'")
        .helping("only one of them is allowed; remove the other")
    case .unknownWord(let word, let attribute, let known):
      failure("unknown-word", "'\(attribute)' can't be '\(word)'")
        .didYouMean(word, among: known, elseListing: "the valid values are")
    case .duplicate(let name, let entity, let line):
      failure("duplicate-name", "duplicate definition of '\(name)' for '\(entity)'")
        .helping("the first one is on line \(line); remove one of them")
    case .strayText(let element):
      failure("stray-text", "unexpected text in '\(element)'")
        .helping("only 'sql' can contain text; comments have the form <!-- … -->")
    case .emptyStatement:
      failure("empty-sql", "the element 'sql' is empty")
    case .otherVersion(let name, let attribute, let fileName):
      failure(
        "other-version",
        "'\(attribute)' is '\(name)', but the file name contains '\(fileName)'"
      ).helping("the file name must be FROM--TO.xml")
    }
  }

  private func failure(_ code: String, _ message: String) -> DiagnosticMessage {
    DiagnosticMessage(.error, "migration.\(code)", message)
  }
}
