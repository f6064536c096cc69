import StoreDiagnostics

/// The file does not have the shape of a model: elements, attributes, and the words in them.
enum ShapeIssue: ModelIssue, Hashable {
  case wrongRoot(String)
  case unknownElement(String, parent: String, known: [String])
  case unknownAttribute(String, element: String, known: [String])
  case missing(attribute: String, element: String)
  case noFetchRequest(String)
  case notAFlag(String, attribute: String)
  case notANumber(String, attribute: String)
  case unknownWord(String, attribute: String, known: [String])
  case repeatedKey(String)

  init(_ stranger: XMLVocabulary.Stranger) {
    switch stranger {
    case .element(let name, let parent, let known):
      self = .unknownElement(name, parent: parent, known: known)
    case .attribute(let name, let element, let known):
      self = .unknownAttribute(name, element: element, known: known)
    }
  }

  var diagnostic: Diagnostic {
    switch self {
    case .wrongRoot(let name):
      error("not-a-model", "the file holds a '\(name)', not a 'model'")
        .helping("give the 'contents' file of an .xcdatamodel folder, or the folder itself")
    case .unknownElement(let name, let parent, let known):
      warning("unknown-element", "'\(parent)' has no '\(name)' inside; it is not read")
        .didYouMean(name, among: known)
    case .unknownAttribute(let name, let element, let known):
      warning("unknown-attribute", "'\(element)' has no attribute '\(name)'; it is not read")
        .didYouMean(name, among: known)
    case .missing(let attribute, let element):
      error("missing-attribute", "the '\(element)' has no '\(attribute)'")
        .helping("add \(attribute)=\"…\"")
    case .noFetchRequest(let name):
      error("missing-fetch-request", "the fetched property '\(name)' has no fetch request")
        .helping("add a 'fetchRequest' element inside")
    case .notAFlag(let text, let attribute):
      error("not-a-flag", "'\(attribute)' is neither YES nor NO: '\(text)'")
    case .notANumber(let text, let attribute):
      error("not-a-number", "'\(attribute)' is not a whole number: '\(text)'")
    case .unknownWord(let word, let attribute, let known):
      error("unknown-word", "'\(attribute)' can't be '\(word)'")
        .didYouMean(word, among: known.filter { $0.count > 1 })
        .helping("it is one of: \(known.joined(separator: ", "))")
    case .repeatedKey(let key):
      warning("repeated-key", "the key '\(key)' is there twice; the last value counts")
    }
  }
}
