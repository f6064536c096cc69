/// A dictionary whose keys are names. They are compared byte by byte, unlike the keys of a `[String: Value]`.
package struct ExactDictionary<Value> {
  package typealias Element = (key: String, value: Value)

  private var storage: [ExactText: Value]

  private init(storage: [ExactText: Value]) {
    self.storage = storage
  }

  package init() {
    storage = [:]
  }

  package init(
    _ elements: some Sequence<(String, Value)>, uniquingKeysWith combine: (Value, Value) -> Value
  ) {
    storage = Dictionary(
      elements.map { (ExactText($0), $1) }, uniquingKeysWith: combine)
  }

  /// Creates the dictionary with the entries of a Swift dictionary.
  package init(_ values: [String: Value]) {
    self.init(values.map { ($0.key, $0.value) }) { first, _ in first }
  }

  package subscript(_ name: String) -> Value? {
    get { storage[ExactText(name)] }
    set { storage[ExactText(name)] = newValue }
    _modify { yield &storage[ExactText(name)] }
  }

  package subscript(_ name: String, default value: @autoclosure () -> Value) -> Value {
    get { storage[ExactText(name)] ?? value() }
    _modify { yield &storage[ExactText(name), default: value()] }
  }

  package var keys: [String] { storage.keys.map(\.text) }
  package var values: [Value] { Array(storage.values) }
  package var count: Int { storage.count }
  package var isEmpty: Bool { storage.isEmpty }

  package func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> ExactDictionary {
    ExactDictionary(storage: try storage.filter { try isIncluded(($0.key.text, $0.value)) })
  }

  package func mapValues<New>(_ transform: (Value) throws -> New) rethrows -> ExactDictionary<New> {
    ExactDictionary<New>(storage: try storage.mapValues(transform))
  }

  package mutating func merge(
    _ other: ExactDictionary, uniquingKeysWith combine: (Value, Value) -> Value
  ) {
    storage.merge(other.storage, uniquingKeysWith: combine)
  }

  /// - Returns: the previous value, or nil if the dictionary didn't contain the name.
  @discardableResult
  package mutating func updateValue(_ value: Value, forKey name: String) -> Value? {
    storage.updateValue(value, forKey: ExactText(name))
  }
}

extension ExactDictionary: Sequence {
  package func makeIterator() -> AnyIterator<Element> {
    var iterator = storage.makeIterator()
    return AnyIterator { iterator.next().map { ($0.key.text, $0.value) } }
  }
}

extension ExactDictionary: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements) { first, _ in first }
  }
}

extension ExactDictionary: Equatable where Value: Equatable {}
extension ExactDictionary: Hashable where Value: Hashable {}
extension ExactDictionary: Sendable where Value: Sendable {}
