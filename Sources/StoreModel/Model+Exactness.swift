import StoreDiagnostics
import StorePredicate

// Synthesized equality takes two spellings of a text for one. These also compare the bytes of the texts.

extension Attribute {
  /// Whether both are the same, names and other texts byte by byte.
  package func isExactly(_ other: Attribute) -> Bool {
    self == other && zip(texts, other.texts).allSatisfy { $0.isExactly($1) }
      && type.isExactly(other.type) && ExactDictionary(userInfo).isExactly(other.userInfo)
  }

  private var texts: [String?] {
    [
      name, valueTransformer, customClassName, renamingIdentifier, versionHashModifier,
      validation.pattern, derivation?.format,
    ]
  }
}

extension AttributeType {
  /// Whether both are the same, the name of a composite byte by byte.
  package func isExactly(_ other: AttributeType) -> Bool {
    guard case .composite(let name) = self, case .composite(let other) = other else {
      return self == other
    }
    return name.isExactly(other)
  }
}

extension FetchIndex {
  /// Whether both are the same, names and other texts byte by byte.
  package func isExactly(_ other: FetchIndex) -> Bool {
    self == other && name.isExactly(other.name)
      && partialPredicate.isExactly(other.partialPredicate)
      && zip(elements, other.elements).allSatisfy { $0.target.text.isExactly($1.target.text) }
  }
}

extension FetchIndex.Element.Target {
  fileprivate var text: String {
    switch self {
    case .property(let name): name
    case .expression(let text, _): text
    }
  }
}

extension ExactDictionary<String> {
  /// Whether both have the same keys and values, byte by byte.
  package func isExactly(_ other: [String: String]) -> Bool {
    count == other.count
      && other.allSatisfy { key, value in self[key].isExactly(value) }
  }
}
