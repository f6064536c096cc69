package import StoreDiagnostics

extension NoSuchRow: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    let diagnostic = Diagnostic(
      .error, "store.no-row", "there is no row \(entity)/p\(key)", cause: .notFound)
    if let otherEntity, otherEntity != entity {
      return [diagnostic.helping("\(otherEntity)/p\(key) is one: the entities share a table")]
    }
    guard !neighbors.isEmpty else {
      return [diagnostic.helping("'\(entity)' has no rows")]
    }
    let near = neighbors.map { "\(entity)/p\($0)" }.joined(separator: " and ")
    return [diagnostic.helping("the nearest \(neighbors.count == 1 ? "is" : "are") \(near)")]
  }
}
