#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The built-in functions, by their selector. `FunctionDefinition` has a row with the facts about each.
///
/// Infix arithmetic has other nodes: the parser reads `add:to:(a, b)` as `a + b`.
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

  package var definition: FunctionDefinition { FunctionDefinition(of: self) }

  /// Folds many values to one result: the members of a collection, several arguments, or the rows of
  /// a request.
  package var isAggregate: Bool {
    if case .fold = definition.computation { true } else { false }
  }

  /// How many arguments it takes. An aggregate takes a collection, or its members one by one.
  package var arity: ClosedRange<Int> {
    switch definition.parameters {
    case .arguments(let types): types.count...types.count
    case .members: 1...Int.max
    }
  }
}

/// The facts about a function: what the parser, the type checker, the evaluator, the SQL compiler and
/// the tests read. Only its SQL is in another table, `FunctionSQL`.
package struct FunctionDefinition {
  /// The type of the result.
  package enum Result {
    case double, integer, text, date
    /// The type of the first argument, or of the members of an aggregate.
    case argument
    /// The type of the sum, or of the average, of values of that type.
    case sum, average
    /// A list of values of that type.
    case list
  }

  /// The computation of the result from arguments that aren't null. The cases up to `text` compute the
  /// same in SQL.
  package enum Computation {
    case generated(() -> Double)
    case real((Double) -> Double)
    case number((Number) -> Number)
    /// Nil is null.
    case numbers((Number, Number) -> Number?)
    case text((String) -> String)
    case argument, length, now, distance
    case fold(Fold)
  }

  package enum Fold {
    case count, sum, average, least, greatest
    case statistic((Statistics) -> EvaluatedValue)
  }

  /// When the result is null although no argument is.
  package enum Gap {
    case never
    /// The last argument is 0.
    case zeroDivisor
    /// The result is NaN for some numbers: `sqrt(-1)`.
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

  fileprivate init(of function: Function) {
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
    /// A row with a latitude and a longitude.
    case location
  }

  /// The types of the arguments, or of each member that an aggregate folds.
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
