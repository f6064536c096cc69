/// One step of a key path: a property, or a collection operator.
public struct KeyPathStep: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case key(String)
    /// `@count`, `@sum` …: works on the collection to its left, or on the path to its right.
    case collection(CollectionOperator)
  }

  public var kind: Kind
  public var range: TextRange

  public init(_ kind: Kind, range: TextRange = .none) {
    self.kind = kind
    self.range = range
  }
}

public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case min = "@min"
  case max = "@max"
  case average = "@avg"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfSets = "@distinctUnionOfSets"
}

extension CollectionOperator {
  /// Its result is many values.
  package var makesCollection: Bool {
    switch self {
    case .count, .sum, .min, .max, .average: false
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      true
    }
  }

  /// Each of its values is there once, in no order.
  package var isDistinct: Bool {
    switch self {
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets: true
    case .count, .sum, .min, .max, .average, .unionOfObjects, .unionOfArrays: false
    }
  }
}
