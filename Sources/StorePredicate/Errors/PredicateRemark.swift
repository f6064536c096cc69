public import StoreDiagnostics

/// Something in a predicate that is right, and probably not what was meant.
public struct PredicateRemark: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// `LIKE "%Ray%"`: SQL's wildcards, which stand for themselves here.
    case percentInPattern
  }

  public var kind: Kind
  public var range: TextRange
}

extension FormatPredicate {
  /// What its writer should be told, in the order of the text.
  public var remarks: [PredicateRemark] {
    var remarks: [PredicateRemark] = []
    forEachComparison { comparison in
      guard comparison.operator == .like,
        case .constant(.string(let pattern)) = comparison.right.kind,
        pattern.hasPrefix("%") || pattern.hasSuffix("%"),
        !pattern.contains(where: { "*?".contains($0) })
      else { return }
      let range = comparison.right.range
      // Conditions inside of conditions are met more than once.
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
  /// Those of the conditions in it.
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
  /// A remark at its place.
  public func diagnostic(of remark: PredicateRemark) -> Diagnostic {
    switch remark.kind {
    case .percentInPattern:
      locate(
        Diagnostic(
          .note, "predicate.percent-in-like", "'%' stands for itself in LIKE",
          help: ["wildcards are * and ?: LIKE \"*Ray*\""]), at: remark.range.range)
    }
  }
}
