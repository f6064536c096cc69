public import StoreDiagnostics

/// A note about a valid predicate that probably doesn't mean what its author intended.
public struct PredicateRemark: Hashable, Sendable {
  /// The reason of a remark.
  public enum Kind: Hashable, Sendable {
    /// `LIKE "%Ray%"` contains wildcards of SQL, which match themselves in LIKE.
    case percentInPattern
  }

  /// The reason of the remark.
  public var kind: Kind
  /// The location in the text of the predicate.
  public var range: TextRange
}

extension FormatPredicate {
  /// The remarks about a predicate, in the order of its text.
  public var remarks: [PredicateRemark] {
    var remarks: [PredicateRemark] = []
    forEachComparison { comparison in
      guard comparison.operator == .like,
        case .constant(.string(let pattern)) = comparison.right.kind,
        pattern.hasPrefix("%") || pattern.hasSuffix("%"),
        !pattern.contains(where: { "*?".contains($0) })
      else { return }
      let range = comparison.right.range
      // Nested conditions are visited more than once.
      guard !remarks.contains(where: { $0.range.lowerBound == range.lowerBound }) else { return }
      remarks.append(PredicateRemark(kind: .percentInPattern, range: range))
    }
    return remarks
  }

  fileprivate func forEachComparison(_ visit: (Comparison) -> Void) {
    switch self {
    case .constant: break
    case .not(let negated): negated.forEachComparison(visit)
    case .and(let members), .or(let members):
      for member in members { member.forEachComparison(visit) }
    case .comparison(let comparison):
      visit(comparison)
      for side in [comparison.left, comparison.right] { side.forEachComparison(visit) }
    }
  }
}

extension FormatExpression {
  /// Visits the comparisons in the conditions of an expression.
  fileprivate func forEachComparison(_ visit: (Comparison) -> Void) {
    _ = rewriting { part in
      switch part.kind {
      case .subquery(_, _, let condition), .ternary(let condition, _, _):
        condition.forEachComparison(visit)
      default: break
      }
      return nil
    }
  }
}

extension PredicateText {
  /// Returns the diagnostic of a remark, with its location in this text.
  public func diagnostic(of remark: PredicateRemark) -> Diagnostic {
    switch remark.kind {
    case .percentInPattern:
      locate(
        Diagnostic(
          .note, "predicate.percent-in-like", "'%' isn't a wildcard in LIKE",
          help: ["the wildcards are * and ?: LIKE \"*Ray*\""]), at: remark.range.range)
    }
  }
}
