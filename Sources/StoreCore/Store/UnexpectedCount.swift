package import StoreDiagnostics

/// A request would change another number of rows than was expected; nothing was changed.
package struct UnexpectedCount: DiagnosableError, Hashable {
  package enum Effect: Hashable, Sendable {
    case updatedRows, deletedRows, madeLinks, endedLinks
  }

  package var effect: Effect
  package var expected: Int
  package var found: Int

  /// - Parameter expected: nil where any number will do.
  /// - Throws: `UnexpectedCount`
  package static func refuse(
    _ effect: Effect, of found: Int, unless expected: Int?
  ) throws(UnexpectedCount) {
    guard let expected, expected != found else { return }
    throw UnexpectedCount(effect: effect, expected: expected, found: found)
  }

  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "batch.unexpected-count",
        "\(sentence): \(expected) \(expected == 1 ? "was" : "were") expected"
      ).helping("the store may have changed since they were counted: count them again")
    ]
  }

  private var sentence: String {
    let (row, link) = ("row".plural(found), "link".plural(found))
    return switch effect {
    case .updatedRows: "\(found) \(row) would change"
    case .deletedRows: "\(found) \(row) would go"
    case .madeLinks: "\(found) \(link) would be made"
    case .endedLinks: "\(found) \(link) would end"
    }
  }
}
