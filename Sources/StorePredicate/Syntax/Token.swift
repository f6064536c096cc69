/// One word, sign or literal of predicate text.
struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name, and the keyword that the same letters spell.
    case word(String, Keyword?)
    /// `#word`: a name, whatever keyword it spells.
    case escapedWord(String)
    /// `$NAME`
    case variable(String)
    /// `@count`, with its `@`.
    case collectionOperator(String)
    case string(String)
    /// The digits alone; a minus is a token of its own.
    case integer(UInt64)
    case double(Double)
    case placeholder(Placeholder)
    case symbol(Symbol)
    /// What could not be read. The parser throws it when it gets there, so that a mistake further
    /// to the left is reported first.
    case invalid(PredicateSyntaxError.Kind)
    case end
  }

  var kind: Kind
  /// UTF-8 offsets.
  var range: Range<Int>

  var keyword: Keyword? {
    if case .word(_, let keyword) = kind { return keyword }
    return nil
  }

  var symbol: Symbol? {
    if case .symbol(let symbol) = kind { return symbol }
    return nil
  }
}

/// `%@` and its kin.
public enum Placeholder: Hashable, Sendable {
  /// `%@`
  case object
  /// `%K`
  case keyPath
  /// `%d %i %u %x %o …`, any length prefix
  case integer
  /// `%f %e %g %a`
  case double
  /// `%s %S`
  case string
  /// `%c %C`
  case character
}
