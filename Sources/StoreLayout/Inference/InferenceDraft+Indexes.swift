import SQLiteAccess
import StoreModel
import StoreDiagnostics

extension InferenceDraft {
  /// The constraint of each unique index, by entity.
  func constraints() -> [Int64: [[String]]] {
    var constraints: [Int64: [[String]]] = [:]
    for (table, indexes) in labels.indexes.sorted(by: { $0.key < $1.key }) {
      for index in indexes where index.isConstraint {
        guard let names = names(of: index, in: table) else { continue }
        constraints[index.entity, default: []].append(names)
      }
    }
    for table in tables { addInlineConstraints(of: table.table, to: &constraints) }
    return constraints.mapValues { lists in
      lists.enumerated().filter { !lists[..<$0].contains($1) }.map(\.element)
    }
  }

  /// fw 851 writes `VARCHAR UNIQUE` (docs/formats/store-layout.md, "Indexes").
  private func addInlineConstraints(of table: String, to constraints: inout [Int64: [[String]]]) {
    for index in schema.database.tables[table]?.indexes ?? [] {
      guard index.definition == nil, index.isUnique, index.columns.count == 1,
        let property = properties[table]?[index.columns[0]]
      else { continue }
      constraints[property.owner, default: []].append([property.name])
    }
  }

  /// By entity; partial ones have a condition that is not read back from SQL.
  func fetchIndexes() -> [Int64: [FetchIndex]] {
    var made: [Int64: [FetchIndex]] = [:]
    for (table, indexes) in labels.indexes.sorted(by: { $0.key < $1.key }) {
      for index in indexes where !index.isConstraint && !index.index.isPartial {
        guard !index.name.isEmpty, let names = names(of: index, in: table) else { continue }
        let elements = zip(names, index.index.parts).map {
          FetchIndex.Element(.property($0), isAscending: $1.isAscending)
        }
        made[index.entity, default: []].append(FetchIndex(name: index.name, elements: elements))
      }
    }
    return made
  }

  /// Those of the entity itself or inherited; nil when one is neither.
  private func names(of index: LabelReading.Index, in table: String) -> [String]? {
    let names = index.index.columns.compactMap { column -> String? in
      guard let property = properties[table]?[column],
        forest.isKind(index.entity, of: property.owner)
      else { return nil }
      return property.name
    }
    return names.count == index.index.columns.count && !names.isEmpty ? names : nil
  }
}
