import StoreLayout
import SQLiteAccess
import StoreModel

/// The checks of the properties that an entity declares. They also check the rows of its sub-entities.
struct EntityChecks {
  let entity: EntityDescription
  let place: EntityLayout
  let layout: StoreLayout
  let schema: StoreSchema

  var ownRows: SQL {
    "t.\(name: FixedColumn.entity) IN \(.list(place.subtree))"
  }

  func rows(where condition: SQL) -> SQL {
    VerificationCheck.rows(of: place.table, where: "\(ownRows) AND \(condition)")
  }

  func check(
    _ kind: StoreFinding.Kind, _ property: String, where condition: SQL
  ) -> VerificationCheck {
    VerificationCheck(finding: finding(kind, property), cases: rows(where: condition))
  }

  func finding(_ kind: StoreFinding.Kind, _ property: String) -> StoreFinding {
    StoreFinding(kind, entity: entity.name, property: property)
  }

  func has(_ column: String?) -> Bool {
    column.map { schema.hasColumn($0, in: place.table) } ?? true
  }

  var toOnes: [(RelationshipDescription, ToOneColumn)] {
    entity.relationships.compactMap { relationship in
      guard let column = place.toOne[relationship.name], has(column.column),
        has(column.entityColumn), has(column.orderColumn)
      else { return nil }
      return (relationship, column)
    }
  }

  var requiredValues: [VerificationCheck] {
    let attributes = entity.attributes.compactMap { attribute -> (String, String)? in
      guard !attribute.isOptional, !attribute.isTransient,
        let column = place.attributes[attribute.name], !column.isDerived
      else { return nil }
      return (attribute.name, column.column)
    }
    let references = toOnes.filter { !$0.0.isOptional }.map { ($0.0.name, $0.1.column) }
    return (attributes + references).filter { has($0.1) }.map { name, column in
      check(.missingValue, name, where: "t.\(name: column) IS NULL")
    }
  }

  var validTexts: [VerificationCheck] {
    let own = Set(entity.attributes.map(\.name))
    return place.attributes.sorted { $0.key < $1.key }.compactMap { name, column in
      guard own.contains(name.split(separator: ".").first.map(String.init) ?? name),
        column.type == .string || column.type == .uri, has(column.column)
      else { return nil }
      return check(
        .invalidText, name,
        where: """
          typeof(t.\(name: column.column)) = 'text' AND NOT TEXT_IS_VALID(t.\(name: column.column))
          """)
    }
  }

  var uniqueness: [VerificationCheck] {
    entity.uniquenessConstraints.compactMap { properties in
      let columns = properties.compactMap {
        place.attributes[$0]?.column ?? place.toOne[$0]?.column
      }
      guard columns.count == properties.count, !columns.isEmpty, columns.allSatisfy({ has($0) })
      else { return nil }
      let list = columns.map(SQL.name).joined(", ")
      let own = columns.map { name -> SQL in "t.\(name: name)" }.joined(", ")
      return VerificationCheck(
        finding: StoreFinding(.duplicates(properties), entity: entity.name),
        cases: rows(
          where: """
            (\(own)) IN (SELECT \(list) FROM \(name: place.table) \
            WHERE \(name: FixedColumn.entity) IN \(.list(place.subtree)) \
            GROUP BY \(list) HAVING count(*) > 1)
            """))
    }
  }
}
