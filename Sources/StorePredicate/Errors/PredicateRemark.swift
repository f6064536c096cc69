public import StoreDiagnostics

/// A valid part of a predicate that probably doesn't have the intended meaning.
public struct PredicateRemark: Hashable, Sendable {
  /// The kinds of remarks.
  public enum Kind: Hashable, Sendable {
    /// `LIKE "%Ray%"`: SQL's wildcards, which are ordinary characters in a predicate.
    case percentInPattern
  }

  /// The kind of the remark.
  public var kind: Kind
  /// The location in the text of the predicate.
  public var range: TextRange
}

extension FormatPredicate {
  /// The remarks about the predicate.
  public var remarks: [PredicateRemark] {
    var remarks: [PredicateRemark] = []
    forEachComparison { comparison in
      guard comparison.operator == .like,
        case .constant(.string(let pattern)) = comparison.right.kind,
        pattern.hasPrefix("%") || pattern.hasSuffix("%"),
        !pattern.contains(where: { "*?".contains($0) })
      else { return }
      let range = comparison.right.range
      // A comparison in a SUBQUERY of a SUBQUERY is visited more than once.
      guard !remarks.contains(where: { $0.range.lowerBound == range.lowerBound }) else { return }
      remarks.append(PredicateRemark(kind: .percentInPattern, range: range))
    }
    return remarks
  }

  fileprivate func forEachComparison(_ visit: (FormatComparison) -> Void) {
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
  /// Calls `visit` for the comparisons in the conditions that this expression contains.
  fileprivate func forEachComparison(_ visit: (FormatComparison) -> Void) {
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
  /// Returns a diagnostic of a remark, with its location.
  ///
  /// - Parameter remark: a remark about this text.
  /// - Returns: a note.
  public func diagnostic(of remark: PredicateRemark) -> DiagnosticMessage {
    switch remark.kind {
    case .percentInPattern:
      let range = remark.range.range
      let pattern = String(
        decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
      let corrected = String(pattern.map { $0 == "%" ? "*" : $0 })
      return locate(
        DiagnosticMessage(
          .note, "predicate.percent-in-like", "'%' isn't a wildcard in LIKE",
          help: ["use the wildcards * and ?: LIKE \(corrected)"]), at: range)
    }
  }
}
