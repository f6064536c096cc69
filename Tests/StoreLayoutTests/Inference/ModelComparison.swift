import SQLiteAccess
import StoreLayout
import StoreModel

/// The parts of the real model that an inferred model contains.
struct InferenceScore {
  var attributes = 0
  /// Types such as `Boolean as Integer 64`, for columns with values.
  var types: [String: Int] = [:]
  /// Attributes with values that only the real model reads.
  var lostAttributes: [String] = []
  var found: [String: Int] = [:]
  var missed: [String: [String]] = [:]
  /// The number of relationships with a value in some row.
  var foundInUse = 0
  var missedInUse: [String] = []

  var foundShare: Double {
    let (found, missed) = (found.values.reduce(0, +), missed.values.map(\.count).reduce(0, +))
    return Double(found) / Double(max(found + missed, 1))
  }

  var text: String {
    var lines = ["attributes: \(attributes), lost: \(lostAttributes.count)"]
    for (types, count) in types.sorted(by: { $0.key < $1.key }) {
      lines.append("\(types): \(count)")
    }
    for (kind, count) in found.sorted(by: { $0.key < $1.key }) {
      lines.append("found \(kind): \(count)")
    }
    for (kind, names) in missed.sorted(by: { $0.key < $1.key }) {
      lines.append("not found \(kind): \(names.count)")
      let grouped = Dictionary(grouping: names, by: { $0 }).mapValues(\.count)
      lines += grouped.sorted { $0.key < $1.key }.map { "  \($0.value) x \($0.key)" }
    }
    lines.append(
      "in use: \(foundInUse) found, \(missedInUse.count) not: \(Set(missedInUse).sorted())")
    lines.append("share: \(foundShare)")
    return lines.joined(separator: "\n")
  }
}

/// Compares the layouts of the real model and the inferred model in a store, by columns, because only the real model
/// contains all names and types.
struct ModelComparison {
  let real: StoreLayout
  let inferred: StoreLayout

  func compare(
    on connection: Connection, counting score: inout InferenceScore, in store: String
  ) throws {
    for entity in real.model.entities {
      guard let layout = real.entity(named: entity.name) else { continue }
      for (name, column) in layout.attributes.sorted(by: { $0.key < $1.key }) {
        score.attributes += 1
        let isRead = try isRead(column, of: layout, on: connection)
        try note(column, of: layout, on: connection, counting: &score)
        if !isRead { score.lostAttributes.append("\(store): \(entity.name).\(name)") }
      }
      for relationship in entity.relationships {
        try compare(relationship, of: layout, on: connection, counting: &score)
      }
    }
  }

  private func note(
    _ column: AttributeColumn, of entity: EntityLayout, on connection: Connection,
    counting score: inout InferenceScore
  ) throws {
    let found = inferred.entity(numbered: entity.number)?.attributes.values
      .first { $0.column == column.column }
    guard let found, found.type != column.type,
      try !isEmpty(column.column, in: entity.table, of: entity.number, on: connection)
    else { return }
    score.types["\(column.type.name) as \(found.type.name)", default: 0] += 1
  }

  /// Returns whether the inferred model reads each value of the column that the real model reads.
  private func isRead(
    _ column: AttributeColumn, of entity: EntityLayout, on connection: Connection
  ) throws -> Bool {
    for number in entity.subtree {
      let found = inferred.entity(numbered: number)
      let same = found?.attributes.values.first { $0.column == column.column }
      if found?.table == entity.table, let same,
        same.allowsExternalStorage == column.allowsExternalStorage
      {
        continue
      }
      guard try isEmpty(column.column, in: entity.table, of: number, on: connection) else {
        return false
      }
    }
    return true
  }

  private func isEmpty(
    _ column: String, in table: String, of number: Int64?, on connection: Connection
  ) throws -> Bool {
    let entity: SQL =
      number.map { "\(.name(FixedColumn.entity)) = \(value: .integer($0))" } ?? "TRUE"
    return try connection.integer(
      """
      SELECT EXISTS (SELECT 1 FROM \(name: table) \
      WHERE \(entity) AND \(name: column) IS NOT NULL)
      """) == 0
  }

  private func compare(
    _ relationship: RelationshipDescription, of entity: EntityLayout, on connection: Connection,
    counting score: inout InferenceScore
  ) throws {
    let name = relationship.name
    guard let (kind, problem, place) = result(of: name, entity) else { return }
    let isInUse = try !isEmpty(place.column, in: place.table, of: nil, on: connection)
    if let problem {
      score.missed["\(kind), \(problem)", default: []].append("\(entity.name).\(name)")
      if isInUse { score.missedInUse.append("\(entity.name).\(name)") }
    } else {
      score.found[kind, default: 0] += 1
      if isInUse { score.foundInUse += 1 }
    }
  }

  private typealias Result = (
    kind: String, problem: String?, place: (table: String, column: String)
  )

  private func result(of name: String, _ entity: EntityLayout) -> Result? {
    let candidates = entity.subtree.compactMap(inferred.entity(numbered:))
    if let column = entity.toOne[name] {
      let found = candidates.lazy.compactMap { candidate in
        candidate.toOne.values.first { $0.column == column.column }
      }.first
      let problem: String? =
        found.map {
          isSame($0.destination, column.destination) ? nil : "leads to \($0.destination)"
        } ?? "is an attribute"
      return ("to-one", problem, (entity.table, column.column))
    }
    switch entity.toMany[name] {
    case .column(let key)?:
      let kind = key.column.isHiddenKey ? "to-many without inverse" : "to-many"
      let found = candidates.contains { candidate in
        candidate.toMany.values.contains {
          if case .column(let other) = $0 {
            (other.table, other.column, other.orderColumn) == (
              key.table, key.column, key.orderColumn
            )
          } else {
            false
          }
        }
      }
      return (kind, found ? nil : "is not there", (key.table, key.column))
    case .joinTable(let join)?:
      let found = candidates.contains { candidate in
        candidate.toMany.values.contains {
          if case .joinTable(let other) = $0 {
            (other.table, other.sourceColumn, other.destinationColumn, other.orderColumn)
              == (join.table, join.sourceColumn, join.destinationColumn, join.orderColumn)
              && isSame(other.destination, join.destination)
          } else {
            false
          }
        }
      }
      return ("many-to-many", found ? nil : "is not there", (join.table, join.sourceColumn))
    case nil: return nil
    }
  }

  private func isSame(_ inferredName: String, _ realName: String) -> Bool {
    inferred.entity(named: inferredName)?.number == real.entity(named: realName)?.number
  }
}

extension String {
  /// `Z2TAGS`
  fileprivate var isHiddenKey: Bool { dropFirst().first?.isNumber == true }
}
