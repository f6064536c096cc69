package import SQLiteAccess
package import StoreModel
package import StorePredicate

extension PredicateCompiler {
  /// Returns the condition of CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES.
  ///
  /// For a comparison byte by byte with a constant on the right, the condition uses SQLite's own operators if they are
  /// equivalent. BEGINSWITH becomes a range, for which an index can be used. Otherwise, the condition calls one of the
  /// registered text functions (`TextMatcher.Test.functionName`).
  package func text(
    _ left: Operand, _ comparison: FormatComparison.Operator, _ right: Operand,
    _ options: FormatComparison.Options
  ) throws(CheckError) -> SQL {
    if options.folding == nil, let constant = right.text,
      let sql = native(left, comparison, constant)
    {
      return sql
    }
    let test = TextMatcher.Test(comparison) ?? .contains
    let name = SQL(segments: [.text(test.functionName)])
    return "\(name)(\(left.sql), \(right.sql), \(options.folding ?? "''"))"
  }

  /// Returns the condition with SQLite's own operators, or nil if they aren't equivalent. In predicates, an empty text
  /// is never found in another text, whereas SQLite always finds it. Some of SQLite's functions stop at a NUL
  /// character.
  private func native(
    _ left: Operand, _ comparison: FormatComparison.Operator, _ right: String
  ) -> SQL? {
    guard !right.isEmpty, !right.utf8.contains(0) else { return nil }
    let bound = SQL.value(.text(right))
    switch comparison {
    case .contains: return "instr(\(left.sql), \(bound)) > 0"
    case .beginsWith:
      guard left.isColumn, let next = Self.successor(of: right) else { return nil }
      return "(\(left.sql) >= \(bound) AND \(left.sql) < \(value: .text(next)))"
    case .endsWith:
      let count = Int64(right.unicodeScalars.count)
      return "substr(\(left.sql), \(.number(-count))) = \(bound)"
    case .like: return "\(left.sql) GLOB \(value: .text(Self.glob(right)))"
    default: return nil
    }
  }

  /// Returns the first text after all texts that begin with `prefix`, in the order of code points, or nil if there is
  /// no such text.
  package static func successor(of prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
      // Surrogates aren't scalars, so U+E000 follows U+D7FF.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var text = String.UnicodeScalarView(scalars)
      text.append(scalar)
      return String(text)
    }
    return nil
  }

  /// Converts a pattern of the predicate operator LIKE to the syntax of SQLite's GLOB. `*` and `?` have the same
  /// meaning in both. GLOB escapes a character with brackets.
  static func glob(_ pattern: String) -> String {
    var result = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where isEscaped, "?" where isEscaped, "[": result += "[\(scalar)]"
      default: result.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    return isEscaped ? result + "\\" : result
  }
}

extension FormatComparison.Options {
  /// The third argument of the text functions; nil for a comparison byte by byte. The option `n` (normalized) also
  /// means a comparison byte by byte. The option for the locale has no effect.
  var folding: SQL? {
    guard !contains(.normalized) else { return nil }
    switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
    case (true, true): return "'cd'"
    case (true, false): return "'c'"
    case (false, true): return "'d'"
    case (false, false): return nil
    }
  }
}
