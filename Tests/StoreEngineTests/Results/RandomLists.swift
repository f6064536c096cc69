import SeededRandom
@testable import StoreEngine
import SQLiteAccess

/// A list of results as a view shows it: keys and texts of rows in named sections.
struct ShownList: Hashable, CustomStringConvertible {
  struct Row: Hashable {
    var key: Int64
    var text: UInt64
  }

  struct Section: Hashable {
    var name: Int64
    var rows: [Row]
  }

  var sections: [Section]

  var description: String {
    sections.map { section in
      "\(section.name): " + section.rows.map { "\($0.key)/\($0.text)" }.joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// The rows in the form that is compared.
  var rows: SectionedRows {
    var rows = SectionedRows(keys: [], fingerprints: [], sections: [])
    for section in sections {
      let start = rows.count
      rows.keys += section.rows.map(\.key)
      rows.fingerprints += section.rows.map(\.text)
      rows.sections.append(.init(value: .integer(section.name), rows: start..<rows.count))
    }
    return rows
  }
}

extension SeededGenerator {
  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// Returns random rows with few keys in few sections, sorted by the name of the section.
  mutating func list(keys: Int, sections: Int) -> ShownList {
    var rest = (1...keys).shuffled(using: &self).prefix(below(keys + 1))
    var list = ShownList(sections: [])
    for name in 0..<sections where below(4) > 0 {
      let count = below(rest.count + 1)
      guard count > 0 else { continue }
      let rows = rest.prefix(count).map {
        ShownList.Row(key: Int64($0), text: UInt64(below(3)))
      }
      rest = rest.dropFirst(count)
      list.sections.append(.init(name: Int64(name), rows: rows))
    }
    return list
  }

  /// Returns the list after a few changes, the number in most change sets.
  mutating func change(_ list: ShownList, keys: Int, sections: Int) -> ShownList {
    var rows = list.sections.flatMap { section in section.rows.map { (section.name, $0) } }
    for _ in 0...below(4) {
      switch below(5) {
      case 0 where !rows.isEmpty: rows.remove(at: below(rows.count))
      case 1 where !rows.isEmpty: rows[below(rows.count)].1.text += 1
      case 2 where !rows.isEmpty: rows[below(rows.count)].0 = Int64(below(sections))
      case 3 where rows.count > 1: rows.swapAt(below(rows.count), below(rows.count))
      default:
        let key = Int64(keys + 1 + below(1_000_000))
        let row = ShownList.Row(key: key, text: 0)
        if !rows.contains(where: { $0.1.key == key }) {
          rows.insert((Int64(below(sections)), row), at: below(rows.count + 1))
        }
      }
    }
    let names = Set(rows.map(\.0)).sorted()
    return ShownList(
      sections: names.map { name in
        ShownList.Section(name: name, rows: rows.filter { $0.0 == name }.map(\.1))
      })
  }
}
