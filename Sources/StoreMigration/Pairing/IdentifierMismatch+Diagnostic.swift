import StoreDiagnostics
import StoreModel

extension IdentifierMismatch {
  /// `'P.name' continues 'P.title' although their renaming identifiers differ, 'name' and 'title'`
  package var sentence: String {
    "'\(target)' continues '\(source)' although their renaming identifiers differ, "
      + "'\(targetIdentifier)' and '\(sourceIdentifier)'"
  }

  /// What to change in the target.
  package var advice: String {
    let name = target.split(separator: ".").last.map(String.init)
    return name == sourceIdentifier
      ? "remove the elementID of '\(target)'"
      : "set the elementID of '\(target)' to '\(sourceIdentifier)'"
  }

  /// What Core Data drops.
  package var loss: String {
    if case .entity = part { "rows" } else { "values" }
  }

  var diagnostic: Diagnostic {
    Diagnostic(
      .warning, "migrate.identifier-mismatch",
      "\(sentence): Core Data's inferred migration would drop its \(loss)"
    ).helping(advice)
  }
}
