import StoreDiagnostics
import StoreModel

/// What an element is known by among its siblings: its kind and its name, value or parts.
struct ElementKey: Hashable, Sendable {
  var kind: String
  var name: String
  /// From 1; more only where a file names two alike.
  var number = 1

  static func == (left: ElementKey, right: ElementKey) -> Bool {
    left.number == right.number && left.kind.isExactly(right.kind)
      && left.name.isExactly(right.name)
  }

  /// The keys of siblings.
  ///
  /// - Parameter names: what renamed ones are called in the base.
  static func keys(
    of elements: [TextElement], in parent: [ElementKey], _ names: RenamedNames
  ) -> [ElementKey] {
    var seen: [ElementKey: Int] = [:]
    return elements.map { element in
      var key = ElementKey(kind: element.name, name: name(of: element))
      key.name = names.baseName(of: key, in: parent)
      seen[key, default: 0] += 1
      key.number = seen[key] ?? 1
      return key
    }
  }

  private static func name(of element: TextElement) -> String {
    switch element.name {
    case "constraint", "index": element["value"] ?? ""
    case "entry": element["key"] ?? ""
    case "fetchIndexElement": element["property"] ?? element["expression"] ?? ""
    case "uniquenessConstraint": list(element.children.map { $0["value"] ?? "" }.sorted())
    case "compoundIndex": list(element.children.map { $0["value"] ?? "" })
    default: element["name"] ?? ""
    }
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  /// Those that hold parts of their parent and have no name: absent is as good as empty.
  var isContainer: Bool { Self.containers.contains(kind) }

  private static let containers: Set = [
    "userInfo", "uniquenessConstraints", "compoundIndexes", "elements",
  ]

  /// Whether the element only says where Xcode's editor draws an entity.
  var isDiagram: Bool { kind == "element" || kind == "elements" }

  /// Whether Xcode would write it in front of the other, where their place is open.
  func precedes(_ other: ElementKey) -> Bool {
    let ranks = (XcodeOrder.rank(ofElement: kind), XcodeOrder.rank(ofElement: other.kind))
    guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 }
    return kind == other.kind && (XcodeOrder.isSorted(kind) || kind == "element")
      && NaturalOrder.isLess(name, other.name)
  }
}
