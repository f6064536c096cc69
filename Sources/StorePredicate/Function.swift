/// The built-in functions, by their selector.
///
/// Infix arithmetic has nodes of its own; `add:to:(a, b)` is read as `a + b`.
public enum Function: String, Hashable, Sendable, CaseIterable {
  case sum = "sum:"
  case count = "count:"
  case min = "min:"
  case max = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"
  case modulus = "modulus:by:"
  case squareRoot = "sqrt:"
  /// Base 10.
  case log = "log:"
  case naturalLog = "ln:"
  case exponential = "exp:"
  case ceiling = "ceiling:"
  case floor = "floor:"
  case absolute = "abs:"
  case truncate = "trunc:"
  case random = "random"
  case randomBelow = "random:"
  case onesComplement = "onesComplement:"
  case now = "now"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  /// Folds case and diacritics.
  case canonical = "canonical:"
  case length = "length:"
  case noIndex = "noindex:"
  case distance = "distanceToLocation:fromLocation:"

  /// Folds many values to one result: the members of a collection, several arguments, or the rows of
  /// a request.
  package var isAggregate: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: true
    case .modulus, .squareRoot, .log, .naturalLog, .exponential, .ceiling, .floor, .absolute,
      .truncate, .random, .randomBelow, .onesComplement, .now, .uppercase, .lowercase, .canonical,
      .length, .noIndex, .distance:
      false
    }
  }

  /// How many arguments it takes. An aggregate takes a collection, or its members one by one.
  package var arity: ClosedRange<Int> {
    switch self {
    case .random, .now: 0...0
    case .modulus, .distance: 2...2
    default: isAggregate ? 1...Int.max : 1...1
    }
  }
}
