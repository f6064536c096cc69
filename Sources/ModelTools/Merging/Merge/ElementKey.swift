import StoreDiagnostics
import StoreModel

/// Identifies an element among its siblings. `kind` is the XML name of the element, such as `attribute`. `name` is the
/// value of the XML attribute that identifies the element, usually `name`. For a uniqueness constraint or a compound
/// index, it is the list of its properties.
struct ElementKey: Hashable, Sendable {
  var kind: String
  var name: String
  /// The number of the element, from 1, among siblings with the same kind and name. It is 1 unless a file contains
  /// duplicates.
  var number = 1

  static func == (left: ElementKey, right: ElementKey) -> Bool {
    left.number == right.number && left.kind.isExactly(right.kind)
      && left.name.isExactly(right.name)
  }

  /// Returns the keys of siblings. If an element was renamed, its key contains the name in the base.
  ///
  /// - Parameter names: the renamed elements of the file.
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

  /// Whether the element only groups parts of its parent and has no name. A missing container is equivalent to an empty
  /// one.
  var isContainer: Bool { Self.containers[kind] != nil }

  /// The containers with their names in messages.
  static let containers = [
    "userInfo": "user info", "uniquenessConstraints": "constraints",
    "compoundIndexes": "compound indexes", "elements": "diagram",
  ]

  /// Whether the element only contains positions in Xcode's editor.
  var isDiagram: Bool { kind == "element" || kind == "elements" }

  /// Returns whether Xcode writes this element before another one. It is used if the merged files don't determine the
  /// order.
  func precedes(_ other: ElementKey) -> Bool {
    let ranks = (XcodeOrder.rank(ofElement: kind), XcodeOrder.rank(ofElement: other.kind))
    guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 }
    return kind == other.kind && (XcodeOrder.isSorted(kind) || kind == "element")
      && NaturalOrder.isLess(name, other.name)
  }
}
