import StoreDiagnostics

/// A mistake in a migration's file that shows without its models. All are errors: what is not read
/// would change what becomes of rows.
enum DefinitionIssue: ModelIssue, Hashable {
  case wrongRoot(String)
  case unknown(XMLVocabulary.UnknownName)
  case missing(attribute: String, element: String)
  /// None of them is there, where one must be.
  case missingOne(of: [String], element: String)
  /// Both are there, where only one may be.
  case both(String, String, element: String)
  case unknownWord(String, attribute: String, known: [String])
  case duplicate(String, entity: String, firstLine: Int)
  case strayText(element: String)
  case emptyStatement
  case otherVersion(String, attribute: String, fileSays: String)

  var diagnostic: Diagnostic {
    switch self {
    case .wrongRoot(let name):
      failure("not-a-migration", "the file holds a '\(name)', not a 'migration'")
        .helping(.migration(.writeDefinition))
    case .unknown(.element(let name, let parent, let known)):
      failure("unknown-element", "'\(parent)' has no '\(name)' inside")
        .didYouMean(name, among: known, elseListing: "it may hold")
    case .unknown(.attribute(let name, let element, let known)):
      failure("unknown-attribute", "'\(element)' has no attribute '\(name)'")
        .didYouMean(name, among: known, elseListing: "its attributes are")
    case .missing(let attribute, let element):
      failure("missing-attribute", "the '\(element)' has no '\(attribute)'")
        .helping("add \(attribute)=\"…\"")
    case .missingOne(let attributes, let element):
      failure("missing-attribute", "the '\(element)' says nothing about where it comes from")
        .helping("add \(attributes.map { "\($0)=\"…\"" }.joined(separator: " or "))")
    case .both(let first, let second, let element):
      failure("both", "the '\(element)' has both '\(first)' and '\(second)'")
        .helping("only one of them can hold; remove the other")
    case .unknownWord(let word, let attribute, let known):
      failure("unknown-word", "'\(attribute)' can't be '\(word)'")
        .didYouMean(word, among: known, elseListing: "it is one of")
    case .duplicate(let name, let entity, let line):
      failure("duplicate-name", "'\(name)' is there twice for '\(entity)'")
        .helping("the first is in line \(line); remove one")
    case .strayText(let element):
      failure("stray-text", "there is text inside '\(element)'")
        .helping("only 'sql' holds text; a remark is written <!-- like this -->")
    case .emptyStatement:
      failure("empty-sql", "the 'sql' is empty")
    case .otherVersion(let name, let attribute, let fileName):
      failure(
        "other-version",
        "'\(attribute)' is '\(name)', but the file's name says '\(fileName)'"
      ).helping("a migration's file is named FROM--TO.xml")
    }
  }

  private func failure(_ code: String, _ message: String) -> Diagnostic {
    Diagnostic(.error, "migration.\(code)", message)
  }
}
