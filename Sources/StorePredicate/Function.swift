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
}
