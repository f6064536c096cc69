import Foundation
package import StorePredicate

/// A line of `corpus/predicates/cases.jsonl`: a predicate from the tests of another project.
package struct ConformanceCase: Decodable {
  package enum Result: Decodable {
    case rows([String])
    /// `parse_ok`, `parse_error`, `eval_error`
    case status(String)

    package init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let rows = try? container.decode([String].self) {
        self = .rows(rows)
      } else {
        self = .status(try container.decode(String.self))
      }
    }
  }

  package enum Kind: String, Decodable {
    case parse, eval
  }

  package var id: String
  package var kind: Kind
  package var predicate: String
  package var args: [Argument]?
  package var variables: [String: Argument]?
  package var dataset: String?
  package var entity: String?
  package var expected: Result
  /// The result in memory, if the other project's engine differs from Foundation.
  package var expectedInmemory: Result?
  /// The result in SQL's three-valued logic, if it differs.
  package var expectedSql: Result?
  /// Whether its rows belong to an entity of a model.
  package var store: Bool?
  package var expectedFormat: String?

  package static func all() throws -> [ConformanceCase] {
    let file = Corpus.root.appendingPathComponent("predicates/cases.jsonl")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      try decoder.decode(ConformanceCase.self, from: Data($0.utf8))
    }
  }

  package func parse(in dataset: Dataset? = nil) throws -> FormatPredicate {
    try FormatPredicate(
      parsing: predicate, arguments: (args ?? []).map { $0.formatArgument(in: dataset) })
  }

  /// A JSON value, or an object that names a value of another type.
  package indirect enum Argument: Decodable, Sendable {
    case value(DataValue)
    case list([Argument])
    case dictionary([String: Argument])
    /// A row, which can't be written as text.
    case reference(entity: String, id: String)

    package init(from decoder: any Decoder) throws {
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
      func decode<T: Decodable>(_ name: String) throws -> T? {
        try object.decodeIfPresent(T.self, forKey: Name(stringValue: name))
      }
      if let unix: Double = try decode("$date") { return .value(.date(unix - 978_307_200)) }
      if let text: String = try decode("$data") {
        return .value(.binary(Array(Data(base64Encoded: text) ?? Data())))
      }
      if let entity: String = try decode("$entity") { return .value(.string(entity)) }
      if let entity: String = try decode("$ref"), let id: String = try decode("id") {
        return .reference(entity: entity, id: id)
      }
      return .dictionary(try decode("$dict") ?? [:])
    }

    package func formatArgument(in dataset: Dataset?) -> FormatArgument {
      switch self {
      case .value(let value): .value(value)
      case .list(let members): .list(members.map { $0.formatArgument(in: dataset) })
      case .reference(let entity, let id):
        .value(.objectID(dataset?.objectID(of: id, in: entity) ?? Self.anyRow))
      case .dictionary: .value(.objectID(Self.anyRow))
      }
    }

    /// The row for cases that are only parsed.
    private static let anyRow = ObjectID(store: nil, entity: "Row", primaryKey: 1)
  }
}
