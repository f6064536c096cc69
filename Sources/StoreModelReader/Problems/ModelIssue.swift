import StoreDiagnostics
import StoreModel

/// An issue of a model, a migration file or a mapping model, which can be converted to a diagnostic.
///
/// An issue is an error if the meaning of the model is undefined: unreadable text, unknown and duplicate names, cycles.
/// An issue that also occurs in the models of released apps is a warning.
protocol ModelIssue {
  /// The diagnostic without a location.
  var diagnostic: DiagnosticMessage { get }
}

extension ModelIssue {
  func error(_ code: String, _ message: String) -> DiagnosticMessage {
    DiagnosticMessage(.error, "model.\(code)", message)
  }

  func warning(_ code: String, _ message: String) -> DiagnosticMessage {
    DiagnosticMessage(.warning, "model.\(code)", message)
  }
}

/// An issue of an attribute's type, default, bounds or derivation.
enum AttributeIssue: ModelIssue, Hashable {
  case noType(String)
  case noComposite(String)
  case oddDefault(String, type: AttributeType, readAs: String)
  case ignoredDefault(String, type: AttributeType)
  case ignoredBound(String, attribute: String, type: AttributeType)
  case noDerivation(String)
  case idleDerivation(String)

  var diagnostic: DiagnosticMessage {
    switch self {
    case .noType(let name):
      warning("attribute-without-type", "the attribute '\(name)' is stored but has no type")
        .helping("add attributeType=\"…\", or transient=\"YES\"")
    case .noComposite(let name):
      error("missing-attribute", "the attribute '\(name)' doesn't specify its composite")
        .helping("add composite=\"…\"")
    case .oddDefault(let text, let type, let reading):
      warning("odd-default", "the default '\(text)' of type \(type.name) is read as \(reading)")
        .helping("write \(reading)")
    case .ignoredDefault(let text, let type):
      warning(
        "odd-default", "the default '\(text)' isn't \(type.name.withArticle), so it is ignored")
    case .ignoredBound(let text, let attribute, let type):
      warning("odd-bound", Self.sentence(ignoring: text, attribute, of: type))
    case .noDerivation(let name):
      error("missing-derivation", "the derived attribute '\(name)' has no expression")
        .helping("add derivationExpression=\"…\"")
    case .idleDerivation(let name):
      warning("idle-derivation", "the attribute '\(name)' isn't derived but has an expression")
        .helping("add derived=\"YES\", or remove the expression")
    }
  }

  private static func sentence(
    ignoring text: String, _ attribute: String, of type: AttributeType
  ) -> String {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .date:
      "the '\(attribute)' of \(type.name.withArticle) can't be '\(text)', so it is ignored"
    case .undefined, .boolean, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      "\(type.name.withArticle) has no '\(attribute)': '\(text)' is ignored"
    }
  }
}

/// An inconsistency between the two sides of a relationship.
enum RelationshipIssue: ModelIssue, Hashable {
  case unknownInverse(String, destination: String, known: [String])
  case inverseIsNoRelationship(String, destination: String)
  case inverseEntityUnrelated(String, destination: String)
  case noInverse(String)
  case ownInverse(String)
  /// `leadsBackTo` is the declared inverse of the relationship `inverse`, or nil if it doesn't declare one.
  case asymmetric(String, inverse: String, leadsBackTo: String?)
  case orderedToOne(String)

  var diagnostic: DiagnosticMessage {
    switch self {
    case .unknownInverse(let name, let destination, let known):
      error("unknown-inverse", "the inverse '\(name)' doesn't exist in '\(destination)'")
        .didYouMean(name, among: known)
    case .inverseIsNoRelationship(let name, let destination):
      error("unknown-inverse", "the inverse '\(name)' of '\(destination)' isn't a relationship")
    case .inverseEntityUnrelated(let entity, let destination):
      warning(
        "inverse-entity",
        "the inverse's entity '\(entity)' is neither the destination '\(destination)' nor its parent"
      ).helping("write inverseEntity=\"\(destination)\"")
    case .noInverse(let name):
      warning("no-inverse", "the relationship '\(name)' has no inverse")
    case .ownInverse(let name):
      warning("own-inverse", "the relationship '\(name)' is its own inverse")
    case .asymmetric(let name, let inverse, let back?):
      warning(
        "asymmetric-inverse",
        "'\(name)' has the inverse '\(inverse)', but the inverse of '\(inverse)' is '\(back)'")
    case .asymmetric(let name, let inverse, nil):
      warning(
        "asymmetric-inverse",
        "'\(name)' has the inverse '\(inverse)', but '\(inverse)' has no inverse")
    case .orderedToOne(let name):
      warning(
        "ordered-to-one", "the to-one relationship '\(name)' can't be ordered; 'ordered' is ignored"
      )
    }
  }
}

/// An invalid element, attribute or attribute value in the XML of a model.
enum ShapeIssue: ModelIssue, Hashable {
  case wrongRoot(String)
  case unknown(XMLVocabulary.UnknownName)
  case missing(attribute: String, element: String)
  case noFetchRequest(String)
  case notAFlag(String, attribute: String)
  case notANumber(String, attribute: String)
  case unknownWord(String, attribute: String, known: [String])
  case repeatedKey(String)

  var diagnostic: DiagnosticMessage {
    switch self {
    case .wrongRoot(let name):
      error(
        "not-a-model",
        "the root element is '\(name)', not 'model', so the file isn't a Core Data model"
      )
      .helping("specify the 'contents' file of an .xcdatamodel folder, or the folder itself")
    case .unknown(.element(let name, let parent, let known)):
      warning("unknown-element", "the unknown element '\(name)' in '\(parent)' is ignored")
        .didYouMean(name, among: known)
    case .unknown(.attribute(let name, let element, let known)):
      warning("unknown-attribute", "the unknown attribute '\(name)' of '\(element)' is ignored")
        .didYouMean(name, among: known)
    case .missing(let attribute, let element):
      error("missing-attribute", "the element '\(element)' requires the attribute '\(attribute)'")
        .helping("add \(attribute)=\"…\"")
    case .noFetchRequest(let name):
      error("missing-fetch-request", "the fetched property '\(name)' has no fetch request")
        .helping("add a 'fetchRequest' element to it")
    case .notAFlag(let text, let attribute):
      error("not-a-flag", "'\(attribute)' must be YES or NO, not '\(text)'")
    case .notANumber(let text, let attribute):
      error("not-a-number", "'\(attribute)' must be a whole number, not '\(text)'")
    case .unknownWord(let word, let attribute, let known):
      error("unknown-word", "'\(attribute)' can't be '\(word)'")
        .didYouMean(word, among: known.filter { $0.count > 1 })
        .helping("the valid values are: \(known.joined(separator: ", "))")
    case .repeatedKey(let key):
      warning("repeated-key", "duplicate key '\(key)'; the last value is used")
    }
  }
}
