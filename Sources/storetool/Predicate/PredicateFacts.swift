import RecordFormats
import StoreModel
import StorePredicate

/// The facts of `predicate parse` and `predicate check`.
enum PredicateFacts {
  /// A tree: nested for programs, one line a node for people.
  static func page(of predicate: FormatPredicate, isNested: Bool) -> Facts {
    var page = FactObject()
    page.add("predicate", predicate.format)
    page.add("variables", predicate.variables)
    let outline = PredicateOutline(predicate)
    if isNested {
      page.add("tree", tree(outline))
    } else {
      page.add("tree", outline.lines.map(line))
    }
    return .page(page.value)
  }

  private static func tree(_ node: PredicateOutline) -> JSONValue {
    var object = FactObject()
    object.add("kind", node.kind.rawValue)
    object.add("detail", node.detail)
    object.add("text", node.text)
    object.add("parts", JSONValue(.array(node.parts.map(tree))))
    return object.value
  }

  /// What a node with parts says is what its parts say.
  private static func line(_ line: (depth: Int, node: PredicateOutline)) -> FactObject {
    let name = [line.node.kind.rawValue, line.node.detail].compactMap(\.self)
      .joined(separator: " ")
    var object = FactObject()
    object.add("node", String(repeating: "  ", count: line.depth) + name)
    object.add("text", line.node.parts.isEmpty ? line.node.text : nil)
    return object
  }

  /// What a predicate asks of its entity.
  static func page(of checked: CheckedPredicate, on entity: String, as text: String) -> Facts {
    var page = FactObject()
    page.add("entity", entity)
    page.add("predicate", text)
    page.add("keyPaths", checked.keyPaths.map { facts($0.keyPath.format, $0.type, "keyPath") })
    page.add("variables", checked.variables.map { facts($0.name, $0.type, "name") })
    return .page(page.value)
  }

  private static func facts(_ name: String, _ type: ValueType, _ key: String) -> FactObject {
    var object = FactObject()
    object.add(key, name)
    object.add("type", type.description)
    return object
  }
}
