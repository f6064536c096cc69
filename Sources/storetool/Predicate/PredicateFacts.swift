import RecordFormats
import StoreModel
import StorePredicate

/// The facts of `predicate parse` and `predicate check`.
enum PredicateFacts {
  private struct Parsed<Tree: Encodable>: Encodable {
    let predicate: String
    let variables: [String]
    let tree: Tree
  }

  private struct Node: Encodable {
    let kind: String
    let detail: String?
    let text: String
    let parts: [Node]

    init(_ node: PredicateOutline) {
      (kind, detail, text) = (node.kind.rawValue, node.detail, node.text)
      parts = node.parts.map(Node.init)
    }
  }

  private struct Line: Encodable {
    let node: String
    let text: String?

    /// What a node with parts says is what its parts say.
    init(_ depth: Int, _ node: PredicateOutline) {
      let name = [node.kind.rawValue, node.detail].compactMap(\.self).joined(separator: " ")
      self.node = String(repeating: "  ", count: depth) + name
      text = node.parts.isEmpty ? node.text : nil
    }
  }

  private struct Checked: Encodable {
    let entity, predicate: String
    let keyPaths: [KeyPathType]
    let variables: [TemplateFacts.Variable]
  }

  private struct KeyPathType: Encodable { let keyPath, type: String }

  /// A tree: nested for programs, one line a node for people.
  static func page(of predicate: FormatPredicate, isNested: Bool) -> Facts {
    let (text, variables) = (predicate.format, predicate.variables)
    let outline = PredicateOutline(predicate)
    if isNested {
      return .page(Parsed(predicate: text, variables: variables, tree: Node(outline)))
    }
    let lines = outline.lines.map(Line.init)
    return .page(Parsed(predicate: text, variables: variables, tree: lines))
  }

  /// What a predicate asks of its entity.
  static func page(of checked: CheckedPredicate, on entity: String, as text: String) -> Facts {
    .page(
      Checked(
        entity: entity, predicate: text,
        keyPaths: checked.keyPaths.map {
          KeyPathType(keyPath: $0.keyPath.format, type: $0.type.description)
        },
        variables: checked.variables.map { .init(name: $0.name, type: $0.type.description) }))
  }
}
