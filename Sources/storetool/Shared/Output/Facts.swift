import StoreDiagnostics
import RecordFormats

/// What a command has found out, in a form that every output format can show.
enum Facts {
  /// Records of one kind. The columns are named for the case that there are none.
  case records(columns: [String], [JSONValue])
  /// One object with facts of several kinds.
  case page(JSONValue)

  /// Whether there are no records.
  var isEmpty: Bool {
    if case .records(_, let records) = self { records.isEmpty } else { false }
  }
}

/// Builds an object of facts in the order in which they are to be read.
struct FactObject {
  private var members: [JSONValue.Member] = []

  var value: JSONValue { JSONValue(.object(members)) }

  mutating func add(_ key: String, _ value: JSONValue?) {
    members.append(.init(key: key, value: value ?? .null))
  }

  mutating func add(_ key: String, _ text: String?) {
    add(key, text.map { JSONValue(.string($0)) })
  }

  /// A path in the form for people: JSON holds text only.
  mutating func add(_ key: String, _ path: FilePath?) {
    add(key, path.map { "\($0)" })
  }

  mutating func add(_ key: String, _ number: (some BinaryInteger)?) {
    add(key, number.map { JSONValue(.number("\($0)")) })
  }

  mutating func add(_ key: String, _ flag: Bool?) {
    add(key, flag.map { JSONValue(.boolean($0)) })
  }

  mutating func add(_ key: String, _ texts: [String]) {
    add(key, JSONValue(.array(texts.map { JSONValue(.string($0)) })))
  }

  mutating func add(_ key: String, _ objects: [FactObject]) {
    add(key, JSONValue(.array(objects.map(\.value))))
  }
}

extension JSONValue {
  static let null = JSONValue(.null)
}
