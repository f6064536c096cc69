import Foundation
import StorePredicate
import TestSupport

/// A line of `corpus/predicates/cases.jsonl`: a predicate that another project tests.
struct ConformanceCase: Decodable {
  enum Outcome: Decodable {
    case rows([String])
    /// `parse_ok`, `parse_error`, `eval_error`
    case status(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let rows = try? container.decode([String].self) {
        self = .rows(rows)
      } else {
        self = .status(try container.decode(String.self))
      }
    }
  }

  var id: String
  var predicate: String
  var args: [Argument]?
  var expected: Outcome
  var expectedFormat: String?

  static func all() throws -> [ConformanceCase] {
    let file = Corpus.root.appendingPathComponent("predicates/cases.jsonl")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      try decoder.decode(ConformanceCase.self, from: Data($0.utf8))
    }
  }

  func parse() throws -> Predicate {
    try Predicate(parsing: predicate, arguments: (args ?? []).map(\.formatArgument))
  }

  /// A JSON value, or an object that names one of another type.
  indirect enum Argument: Decodable {
    case value(Value)
    case list([Argument])
    /// A row or an entity: something that text cannot hold.
    case reference

    init(from decoder: any Decoder) throws {
      if let object = try? decoder.container(keyedBy: Name.self) {
        self = try Self.named(object)
        return
      }
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .value(.null)
      } else if let flag = try? container.decode(Bool.self) {
        self = .value(.boolean(flag))
      } else if let number = try? container.decode(Int64.self) {
        self = .value(.integer(number))
      } else if let number = try? container.decode(Double.self) {
        self = .value(.double(number))
      } else if let text = try? container.decode(String.self) {
        self = .value(.string(text))
      } else {
        self = .list(try container.decode([Argument].self))
      }
    }

    private struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    private static func named(_ object: KeyedDecodingContainer<Name>) throws -> Argument {
      if let unix = try? object.decode(Double.self, forKey: Name(stringValue: "$date")) {
        return .value(.date(unix - 978_307_200))
      }
      if let text = try? object.decode(String.self, forKey: Name(stringValue: "$data")) {
        return .value(.binary(Array(Data(base64Encoded: text) ?? Data())))
      }
      return .reference
    }

    var formatArgument: FormatArgument {
      switch self {
      case .value(let value): .value(value)
      case .list(let members): .list(members.map(\.formatArgument))
      case .reference: .value(.objectID(ObjectID(store: nil, entity: "Row", primaryKey: 1)))
      }
    }
  }
}
