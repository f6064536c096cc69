import StoreModel
import StorePredicate
import TestSupport
import Testing

@testable import StoreEngine

/// Random rows and random predicates: SQL finds the rows that a few lines of three-valued logic find.
struct RandomPredicateTests {
  private static let model = Model(
    name: "Random",
    entities: [
      Entity(
        name: "Node",
        attributes: [
          Attribute(name: "number", type: .integer16), Attribute(name: "text", type: .string),
        ],
        relationships: [
          Relationship(name: "parent", destination: "Node", inverse: "children"),
          SampleModels.toMany("children", "Node", inverse: "parent"),
        ])
    ])

  private struct Node {
    var number: Int64?
    var text: String?
    /// Index of the parent.
    var parent: Int?
  }

  @Test(arguments: 1...12)
  func sqlFindsWhatLogicFinds(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let nodes = (0..<24).map { _ in
      Node(
        number: Bool.random(using: &random) ? Int64.random(in: -2...2, using: &random) : nil,
        text: ["a", "ab", "b", "ba", "", "A", nil, nil].randomElement(using: &random) ?? nil,
        parent: Int.random(in: 0..<3, using: &random) == 0
          ? nil : Int.random(in: 0..<24, using: &random))
    }
    let layout = StoreLayout(model: Self.model)
    let database = try MemoryDatabase()
    try database.inside { connection in
      for statement in layout.statements { try connection.define(statement) }
      for (index, node) in nodes.enumerated() {
        let number = node.number.map(SQLiteValue.integer) ?? .null
        let text = node.text.map(SQLiteValue.text) ?? .null
        let parent = node.parent.map { SQLiteValue.integer(Int64($0 + 1)) } ?? .null
        try connection.run(
          "INSERT INTO ZNODE (Z_PK, Z_ENT, ZNUMBER, ZTEXT, ZPARENT) VALUES (\(.number(Int64(index + 1))), 1, \(value: number), \(value: text), \(value: parent))"
        )
      }
    }
    for _ in 0..<150 {
      let test = Test.random(depth: 3, &random)
      let query = try FetchRequest(
        entity: "Node", predicate: try Predicate(parsing: test.text), result: .objectIDs
      ).sql(in: layout)
      let found = try database.inside { try $0.rows(query.sql).map { $0[0] } }
      let expected = nodes.indices.filter { test.isTrue($0, nodes) == true }
        .map { SQLiteValue.integer(Int64($0 + 1)) }
      #expect(found == expected, "seed \(seed): \(test.text)\n\(query.sql.rendered())")
    }
  }

  /// A predicate as text, and what it means; nil is unknown.
  private struct Test {
    var text: String
    var isTrue: (Int, [Node]) -> Bool?

    static func random(depth: Int, _ random: inout SeededGenerator) -> Test {
      switch depth == 0 ? 9 : Int.random(in: 0..<10, using: &random) {
      case 0, 1:
        let (a, b) = (
          Test.random(depth: depth - 1, &random), Test.random(depth: depth - 1, &random)
        )
        return Test(text: "(\(a.text) AND \(b.text))") { index, nodes in
          let (x, y) = (a.isTrue(index, nodes), b.isTrue(index, nodes))
          if x == false || y == false { return false }
          return x == nil || y == nil ? nil : true
        }
      case 2, 3:
        let (a, b) = (
          Test.random(depth: depth - 1, &random), Test.random(depth: depth - 1, &random)
        )
        return Test(text: "(\(a.text) OR \(b.text))") { index, nodes in
          let (x, y) = (a.isTrue(index, nodes), b.isTrue(index, nodes))
          if x == true || y == true { return true }
          return x == nil || y == nil ? nil : false
        }
      case 4, 5:
        let a = Test.random(depth: depth - 1, &random)
        return Test(text: "NOT (\(a.text))") { index, nodes in a.isTrue(index, nodes).map { !$0 } }
      case 6: return subquery(depth, &random)
      case 7: return quantified(&random)
      default:
        return comparison(path: ["", "parent."].randomElement(using: &random) ?? "", &random)
      }
    }

    /// SUBQUERY(children, $c, …).@count
    private static func subquery(_ depth: Int, _ random: inout SeededGenerator) -> Test {
      let inner = comparison(path: "$c.", &random)
      let count = Int.random(in: 0...2, using: &random)
      let (symbol, holds) = relation(&random)
      return Test(text: "SUBQUERY(children, $c, \(inner.text)).@count \(symbol) \(count)") {
        owner, nodes in
        let members = nodes.indices.filter {
          nodes[$0].parent == owner && inner.isTrue($0, nodes) == true
        }
        return holds(Int64(members.count), Int64(count))
      }
    }

    private static func quantified(_ random: inout SeededGenerator) -> Test {
      let inner = comparison(path: "children.", &random)
      let word = ["ANY", "ALL", "NONE"].randomElement(using: &random) ?? "ANY"
      return Test(text: "\(word) \(inner.text)") { owner, nodes in
        let members = nodes.indices.filter { nodes[$0].parent == owner }
        let satisfying = members.count { inner.isTrue($0, nodes) == true }
        switch word {
        case "ANY": return satisfying > 0
        case "NONE": return satisfying == 0
        default: return satisfying == members.count
        }
      }
    }

    private static func relation(
      _ random: inout SeededGenerator
    ) -> (String, (Int64, Int64) -> Bool) {
      let all: [(String, (Int64, Int64) -> Bool)] = [
        ("==", { $0 == $1 }), ("!=", { $0 != $1 }), ("<", { $0 < $1 }), ("<=", { $0 <= $1 }),
        (">", { $0 > $1 }), (">=", { $0 >= $1 }),
      ]
      return all[Int.random(in: 0..<all.count, using: &random)]
    }

    /// One attribute and constants. `parent.` looks at the parent, other prefixes at the row itself.
    private static func comparison(path: String, _ random: inout SeededGenerator) -> Test {
      func node(_ index: Int, _ nodes: [Node]) -> Node? {
        path == "parent." ? nodes[index].parent.map { nodes[$0] } : nodes[index]
      }
      let number = Int64.random(in: -2...2, using: &random)
      let text = ["a", "ab", "b", "A"].randomElement(using: &random) ?? "a"
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return Test(text: "\(path)number == nil") { node($0, $1)?.number == nil }
      case 1: return Test(text: "\(path)text != nil") { node($0, $1)?.text != nil }
      case 2:
        return Test(text: "\(path)number IN {\(number), 0}") { index, nodes in
          node(index, nodes)?.number.map { $0 == number || $0 == 0 }
        }
      case 3:
        return Test(text: "\(path)number BETWEEN {\(number), 1}") { index, nodes in
          node(index, nodes)?.number.map { number <= $0 && $0 <= 1 }
        }
      case 4:
        return Test(text: "\(path)text BEGINSWITH '\(text)'") { index, nodes in
          node(index, nodes)?.text.map { $0.hasPrefix(text) }
        }
      case 5:
        return Test(text: "\(path)text CONTAINS[c] '\(text)'") { index, nodes in
          node(index, nodes)?.text.map { $0.lowercased().contains(text.lowercased()) }
        }
      case 6:
        return Test(text: "\(path)text LIKE '*\(text)'") { index, nodes in
          node(index, nodes)?.text.map { $0.hasSuffix(text) }
        }
      default:
        let (symbol, holds) = relation(&random)
        return Test(text: "\(path)number \(symbol) \(number)") { index, nodes in
          node(index, nodes)?.number.map { holds($0, number) }
        }
      }
    }
  }
}
