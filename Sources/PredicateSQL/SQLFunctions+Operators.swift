extension SQLFunctions {
  /// What a user has written where a statement calls a function of ours: `MATCHES`.
  package static func wording(of function: String) -> String? { wordings[function.uppercased()] }

  /// All of them; a test calls each by its name.
  static let wordings: [String: String] = [
    TextTest.equals.rawValue: "==[c] or ==[d] between texts",
    TextTest.contains.rawValue: "CONTAINS",
    TextTest.begins.rawValue: "BEGINSWITH",
    TextTest.ends.rawValue: "ENDSWITH",
    TextTest.like.rawValue: "LIKE",
    TextTest.matches.rawValue: "MATCHES",
    TextOrder.name: "an order between texts, as < or BETWEEN",
    TextChange.upper.rawValue: "uppercase()",
    TextChange.lower.rawValue: "lowercase()",
    TextChange.canonical.rawValue: "canonical:",
    TextMethodCall.name: "a function over a text",
    ValueCastCall.name: "CAST()",
    ValueConversion.name: "another type of an attribute",
    "TEXT_UNITS": "the length of a text",
    "TEXT_IS_VALID": "a test whether a text is UTF-8",
    "NUMBER_DISTANCE": "distanceToLocation:fromLocation:",
    "LIST_VALUE": "a list of fractions or bytes",
    NumberFunction.power.rawValue: "**",
    NumberFunction.modulus.rawValue: "modulus:by:",
    NumberFunction.squareRoot.rawValue: "sqrt()",
    NumberFunction.decimalLog.rawValue: "log()",
    NumberFunction.naturalLog.rawValue: "ln()",
    NumberFunction.exponential.rawValue: "exp()",
    NumberFunction.ceiling.rawValue: "ceiling()",
    NumberFunction.floor.rawValue: "floor()",
    NumberFunction.truncate.rawValue: "trunc()",
    NumberFunction.absolute.rawValue: "abs()",
    NumberFunction.single.rawValue: "a computed Float",
    RandomFunction.unit.rawValue: "random()",
    RandomFunction.below.rawValue: "randomn()",
    AggregateFunction.median.rawValue: "median()",
    AggregateFunction.deviation.rawValue: "stddev()",
    AggregateFunction.sum.rawValue: "@sum of an Integer 64",
    AggregateFunction.decimalSum.rawValue: "@sum of a Decimal",
    AggregateFunction.decimalAverage.rawValue: "@avg of a Decimal",
    AggregateFunction.decimalMedian.rawValue: "median() of a Decimal",
  ]
}
