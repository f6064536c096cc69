import StoreModel

/// The class that a model names for a Transformable attribute's values.
struct CustomClass: Hashable, Sendable {
  /// As the model writes it.
  var text: String
  /// As Swift writes it, without the dot that stands for the current module; nil where it can't.
  var type: String?

  /// Nil where the model names none.
  init?(of attribute: Attribute) {
    guard let text = attribute.customClassName, !text.isEmpty, text != "." else { return nil }
    self.text = text
    let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
    type = Self.isType(name) ? name : nil
  }

  /// `Module.Name`, `[Name]`, `[Name: Name]`, `Name<Name>`: identifiers, and brackets in pairs.
  private static func isType(_ text: String) -> Bool {
    var open: [Character] = []
    let closing: [Character: Character] = ["]": "[", ">": "<"]
    for character in text {
      switch character {
      case "[", "<": open.append(character)
      case "]", ">": guard open.popLast() == closing[character] else { return false }
      default: continue
      }
    }
    let words = text.split(maxSplits: .max, omittingEmptySubsequences: true) {
      "[]<>:,.? ".contains($0)
    }
    return open.isEmpty && !words.isEmpty
      && words.allSatisfy { SwiftName.isIdentifier(String($0)) }
  }
}
