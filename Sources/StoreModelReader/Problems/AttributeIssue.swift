import StoreDiagnostics
import StoreModel

/// An attribute says something that does not fit its type.
enum AttributeIssue: ModelIssue, Hashable {
  case noType(String)
  case noComposite(String)
  case oddDefault(String, type: AttributeType, readAs: String)
  case ignoredDefault(String, type: AttributeType)
  case ignoredBound(String, attribute: String, type: AttributeType)
  case noDerivation(String)
  case idleDerivation(String)

  var diagnostic: Diagnostic {
    switch self {
    case .noType(let name):
      warning("attribute-without-type", "the attribute '\(name)' is stored but has no type")
        .helping("add attributeType=\"…\", or transient=\"YES\"")
    case .noComposite(let name):
      error("missing-attribute", "the attribute '\(name)' does not say which composite it is")
        .helping("add composite=\"…\"")
    case .oddDefault(let text, let type, let reading):
      warning("odd-default", "the default '\(text)' of type \(type.name) is read as \(reading)")
        .helping("write \(reading)")
    case .ignoredDefault(let text, let type):
      warning(
        "odd-default", "the default '\(text)' is not \(type.name.withArticle): there is no default")
    case .ignoredBound(let text, let attribute, let type):
      warning("odd-bound", "\(type.name.withArticle) has no '\(attribute)': '\(text)' is ignored")
    case .noDerivation(let name):
      error("missing-derivation", "the derived attribute '\(name)' has no expression")
        .helping("add derivationExpression=\"…\"")
    case .idleDerivation(let name):
      warning("idle-derivation", "the attribute '\(name)' is not derived but has an expression")
        .helping("add derived=\"YES\", or remove the expression")
    }
  }
}
