#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The built-in functions. Their raw values are their selectors. `FunctionDefinition` describes each function.
///
/// Arithmetic functions aren't included, because the parser reads `add:to:(a, b)` as `a + b`.
public enum FormatFunction: String, Hashable, Sendable, CaseIterable {
  /// The sum of numbers.
  case sum = "sum:"
  /// The number of members.
  case count = "count:"
  /// The least value.
  case min = "min:"
  /// The greatest value.
  case max = "max:"
  /// The average of numbers or dates.
  case average = "average:"
  /// The middle number, or the mean of the two middle numbers.
  case median = "median:"
  /// The most frequent numbers, as a list.
  case mode = "mode:"
  /// The standard deviation of a whole population.
  case standardDeviation = "stddev:"
  /// The remainder of a division that truncates.
  case modulus = "modulus:by:"
  /// The square root.
  case squareRoot = "sqrt:"
  /// The logarithm to the base 10.
  case log = "log:"
  /// The natural logarithm.
  case naturalLog = "ln:"
  /// The number e, raised to the power of the argument.
  case exponential = "exp:"
  /// The number rounded up.
  case ceiling = "ceiling:"
  /// The number rounded down.
  case floor = "floor:"
  /// The absolute value.
  case absolute = "abs:"
  /// The number rounded toward zero.
  case truncate = "trunc:"
  /// A random number from 0 up to, but not including, 1.
  case random = "random"
  /// A random integer from 0 up to, but not including, the argument; 0 if the argument isn't positive.
  case randomBelow = "random:"
  /// The bitwise complement.
  case onesComplement = "onesComplement:"
  /// The current date.
  case now = "now"
  /// The text in upper case.
  case uppercase = "uppercase:"
  /// The text in lower case.
  case lowercase = "lowercase:"
  /// The text without case and diacritics.
  case canonical = "canonical:"
  /// The length of text or binary data.
  case length = "length:"
  /// The argument, in a form for which SQLite doesn't use an index.
  case noIndex = "noindex:"
  /// The distance in meters between two objects with latitude and longitude.
  case distance = "distanceToLocation:fromLocation:"

  package var definition: FunctionDefinition { FunctionDefinition(of: self) }

  /// Whether the function reduces many values to one result: the members of a collection, several arguments, or the
  /// rows of a request.
  package var isAggregate: Bool {
    if case .fold = definition.computation { true } else { false }
  }

  /// The valid numbers of arguments. An aggregate accepts one collection, or one or more values.
  package var arity: ClosedRange<Int> {
    switch definition.parameters {
    case .arguments(let types): types.count...types.count
    case .members: 1...Int.max
    }
  }
}

/// The types and the computation of a function, for the parser, the type checker, the evaluator, the SQL compiler and
/// the tests. `FunctionSQL` contains the SQL of functions.
package struct FunctionDefinition {
  /// The type of the result.
  package enum Result {
    case double, integer, text, date
    /// The type of the first argument or, for an aggregate, of the members.
    case argument
    /// The type of the sum, or of the average, of values of the argument's type.
    case sum, average
    /// A list of values of the argument's type.
    case list
  }

  /// The computation of the result from arguments that aren't null. SQL functions call the closures of the cases up to
  /// `text`, so their results are the same in SQL.
  package enum Computation {
    case generated(() -> Double)
    case real((Double) -> Double)
    case number((Number) -> Number)
    /// If the closure returns nil, the result is null.
    case numbers((Number, Number) -> Number?)
    case text((String) -> String)
    case argument, length, now, distance
    case fold(Fold)
  }

  package enum Fold {
    case count, sum, average, least, greatest
    case statistic((Statistics) -> EvaluatedValue)
  }

  /// The cases in which the result is null although all arguments have values.
  package enum Gap {
    case never
    /// The last argument is 0.
    case zeroDivisor
    /// The argument is a number for which the function isn't defined, such as `sqrt(-1)`.
    case outsideDomain
  }

  package let result: Result
  package let computation: Computation
  package let gap: Gap

  private init(_ result: Result, _ computation: Computation, gap: Gap = .never) {
    self.result = result
    self.computation = computation
    self.gap = gap
  }

  fileprivate init(of function: FormatFunction) {
    self =
      switch function {
      case .sum: Self(.sum, .fold(.sum))
      case .count: Self(.integer, .fold(.count))
      case .min: Self(.argument, .fold(.least))
      case .max: Self(.argument, .fold(.greatest))
      case .average: Self(.average, .fold(.average))
      case .median: Self(.average, .fold(.statistic { .value($0.median?.value ?? .null) }))
      case .mode: Self(.list, .fold(.statistic { .list($0.modes.map { .value($0.value) }) }))
      case .standardDeviation:
        Self(.double, .fold(.statistic { .value($0.standardDeviation?.value ?? .null) }))
      case .modulus: Self(.argument, .numbers { $0.remainder(by: $1) }, gap: .zeroDivisor)
      case .squareRoot: Self(.double, .real { $0.squareRoot() }, gap: .outsideDomain)
      case .log: Self(.double, .real { log10($0) }, gap: .outsideDomain)
      case .naturalLog: Self(.double, .real { log($0) }, gap: .outsideDomain)
      case .exponential: Self(.double, .real { exp($0) })
      case .ceiling: Self(.argument, .real { $0.rounded(.up) })
      case .floor: Self(.argument, .real { $0.rounded(.down) })
      case .absolute: Self(.argument, .number { $0.magnitude })
      case .truncate: Self(.argument, .real { $0.rounded(.towardZero) })
      case .random: Self(.double, .generated { .random(in: 0..<1) })
      case .randomBelow:
        Self(.argument, .number { .integer($0.integer > 0 ? .random(in: 0..<$0.integer) : 0) })
      case .onesComplement: Self(.argument, .number { .integer(~$0.integer) })
      case .now: Self(.date, .now)
      case .uppercase: Self(.text, .text { $0.uppercased() })
      case .lowercase: Self(.text, .text { $0.lowercased() })
      case .canonical:
        Self(.text, .text { TextFolding([.caseInsensitive, .diacriticInsensitive]).fold($0) })
      case .length: Self(.integer, .length)
      case .noIndex: Self(.argument, .argument)
      case .distance: Self(.double, .distance)
      }
  }

  package enum Parameter {
    case any, number, text
    /// An object with a latitude and a longitude.
    case location
  }

  /// The types of the arguments or, for an aggregate, of the members.
  package enum Parameters {
    case arguments([Parameter])
    case members(Members)
  }

  package enum Members {
    case any, numbers, numbersOrDates
  }

  package var parameters: Parameters {
    switch computation {
    case .generated, .now: .arguments([])
    case .real, .number: .arguments([.number])
    case .numbers: .arguments([.number, .number])
    case .text, .length: .arguments([.text])
    case .argument: .arguments([.any])
    case .distance: .arguments([.location, .location])
    case .fold(.count), .fold(.least), .fold(.greatest): .members(.any)
    case .fold(.sum), .fold(.statistic): .members(.numbers)
    case .fold(.average): .members(.numbersOrDates)
    }
  }
}
