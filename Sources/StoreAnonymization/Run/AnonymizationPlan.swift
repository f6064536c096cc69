import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModel

/// The columns that an anonymization replaces or clears, determined from its rules and the store's schema.
struct AnonymizationPlan {
  let fields: [ReplacedField]
  let tables: [TableReplacement]
  let other: OtherContent
  private let layout: StoreLayout
  private let book: RuleBook

  /// - Throws: `RuleFitError`
  init(
    _ book: RuleBook, in layout: StoreLayout, _ schema: StoreSchema, dropsOther: Bool,
    from source: ValueSource
  ) throws {
    self.layout = layout
    self.book = book
    other = OtherContent(of: schema.database, besides: layout)
    var fields: [ReplacedField] = []
    var updates: [String: [TableReplacement.EntityUpdate]] = [:]
    for entity in layout.entities where !entity.isAbstract {
      let first = fields.count
      for entry in book.entries where entry.entity == entity.name && !entry.rule.isKeep {
        guard let column = entity.attributes[entry.attribute.name] else { continue }
        let replacement = try ValueReplacement(
          entry.rule, of: entry.attribute, isUnique: book.keepsApart(entry.rule), from: source)
        fields.append(
          ReplacedField(
            number: fields.count, name: "\(entity.name).\(entry.attribute.name)",
            column: column.column, replacement: replacement,
            isExternal: column.allowsExternalStorage))
      }
      let others = dropsOther ? other.columns[entity.table] ?? [] : []
      updates[entity.table, default: []].append(
        .init(
          entity: entity, fields: Array(fields[first...]),
          cleared: layout.columnsOfOthers(than: entity).filter {
            schema.hasColumn($0, in: entity.table)
          } + others))
    }
    self.fields = fields
    tables = updates.sorted { $0.key < $1.key }.map(TableReplacement.init)
  }

  // MARK: Checks

  /// Checks for values to which no rule would apply.
  ///
  /// - Throws: `AnonymizationError.strayRows`, `strayValues`, `strayReferences`, `DatabaseError`
  func check(_ connection: Connection) throws {
    for table in layout.tables {
      let numbers = layout.entities(in: table.name).filter { !$0.isAbstract }
        .map { SQL.value(.integer($0.number)) }.joined(", ")
      let count = try connection.integer(
        """
        SELECT count(*) FROM \(name: table.name) WHERE \(name: FixedColumn.entity) IS NULL \
        OR \(name: FixedColumn.entity) NOT IN (\(numbers))
        """)
      guard count == 0 else {
        throw AnonymizationError.strayRows(table: table.name, count: count)
      }
    }
    try checkReferences(connection)
    for entry in book.entries where entry.rule.isKeep && entry.attribute.type.isStoredAsNumber {
      guard let (place, column) = column(of: entry) else { continue }
      let count = try connection.integer(
        """
        SELECT count(*) FROM \(name: place.table) \
        WHERE \(name: FixedColumn.entity) = \(value: .integer(place.number)) \
        AND (typeof(\(name: column)) = 'blob' OR typeof(\(name: column)) = 'text' \
        AND \(name: column) <> \(value: .text(AttributeType.notANumber)))
        """)
      guard count == 0 else {
        throw AnonymizationError.strayValues(
          attribute: "\(entry.entity).\(entry.attribute.name)", count: count)
      }
    }
  }

  /// Checks for text and data in columns for primary keys, entity numbers and positions, which no rule replaces.
  ///
  /// - Throws: `AnonymizationError.strayReferences`, `DatabaseError`
  private func checkReferences(_ connection: Connection) throws {
    let tables =
      layout.tables.map { ($0.name, $0.columns.map(\.name)) }
      + layout.joinTables.map { ($0.name, $0.columns.map(\.name)) }
    for (table, columns) in tables {
      let attributes = layout.entities.filter { $0.table.isExactly(table) }
        .flatMap { $0.attributes.values.map(\.column) }.exact
      for column in columns where !attributes.contains(ExactText(column)) {
        let count = try connection.integer(
          """
          SELECT count(*) FROM \(name: table) WHERE typeof(\(name: column)) IN ('text', 'blob')
          """)
        guard count == 0 else {
          throw AnonymizationError.strayReferences(table: table, column: column, count: count)
        }
      }
    }
  }

  /// Returns the attributes with their rules and numbers of values.
  func attributes(
    _ connection: Connection
  ) throws(DatabaseError) -> [AnonymizationResult.Attribute] {
    var found: [AnonymizationResult.Attribute] = []
    for entry in book.entries {
      guard let (place, column) = column(of: entry) else { continue }
      let count = try connection.integer(
        """
        SELECT count(\(name: column)) FROM \(name: place.table) \
        WHERE \(name: FixedColumn.entity) = \(value: .integer(place.number))
        """)
      found.append(
        .init(
          entity: entry.entity, name: entry.attribute.name, type: entry.attribute.type.name,
          rule: entry.rule, isDefault: entry.isDefault, values: count))
    }
    return found
  }

  private func column(of entry: RuleBook.Entry) -> (EntityLayout, String)? {
    guard let place = layout.entity(named: entry.entity),
      let column = place.attributes[entry.attribute.name]?.column
    else { return nil }
    return (place, column)
  }
}

extension StoreLayout {
  /// Returns the columns of attributes that only other entities of the table have.
  fileprivate func columnsOfOthers(than entity: EntityLayout) -> [String] {
    let own = Set(entity.attributes.values.map(\.column) + entity.toOne.values.map(\.column))
    let all = entities(in: entity.table).flatMap {
      $0.attributes.values.map(\.column)
    }
    return Set(all).subtracting(own).sorted()
  }
}

extension Connection {
  /// Returns the names of the external files that rows refer to.
  func files(named columns: [ExternalColumn]) throws(DatabaseError) -> Set<String> {
    var names: Set<String> = []
    for column in columns {
      var rows = try prepare(
        "SELECT \(column.fileText) FROM \(name: column.table) WHERE \(column.isMarked)")
      while try rows.step() { names.insert(rows.text(at: 0)) }
    }
    return names.filter(ExternalFolder.isFileName)
  }
}
