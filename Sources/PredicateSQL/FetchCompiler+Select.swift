import StoreLayout
package import SQLiteAccess
package import StoreModel
import StorePredicate

/// The values of a SELECT, and the result columns that are read from them.
package struct SelectList {
  package private(set) var values: [SQL] = []
  package private(set) var columns: [ResultColumn] = []

  package init() {}

  /// The SQL of the values. SELECT requires at least one value, so it is NULL for an empty list.
  package var sql: SQL { values.isEmpty ? "NULL" : values.joined(", ") }

  private mutating func index(of value: SQL) -> Int {
    values.append(value)
    return values.count - 1
  }

  mutating func addValue(
    _ value: SQL, as type: AttributeType, named name: String, isExternal: Bool = false
  ) {
    columns.append(
      ResultColumn(
        name: name, source: .value(index(of: value), type), allowsExternalStorage: isExternal))
  }

  /// Adds a column with object IDs.
  ///
  /// - Parameter entity: the entity's name or the SQL of its number.
  mutating func addObject(_ key: SQL, entity: ObjectEntity, named name: String) {
    let key = index(of: key)
    let source: ResultColumn.EntitySource =
      switch entity {
      case .named(let entity): .fixed(entity)
      case .numbered(let number): .number(index(of: number))
      }
    columns.append(ResultColumn(name: name, source: .objectID(key: key, entity: source)))
  }

  enum ObjectEntity {
    case named(String)
    case numbered(SQL)
  }
}

extension FetchCompiler {
  /// Selects the stored attributes, then the to-one relationships, each sorted by name.
  package mutating func selectRow() throws(CheckError) {
    for (name, column) in entity.attributes.sorted(by: { $0.key < $1.key }) {
      list.addValue(
        try compiler.context.column(name, of: compiler.root), as: column.type, named: name,
        isExternal: column.allowsExternalStorage)
    }
    for name in entity.toOne.keys.sorted() {
      let row = try compiler.context.follow(name, from: compiler.root)
      selectObjectID(of: row, named: name)
    }
  }

  mutating func selectObjectID(
    of row: RowReference, named name: String, isOnlyEntity only: String? = nil
  ) {
    if let only = only ?? (row.entity.subtree.count == 1 ? row.entity.name : nil) {
      list.addObject(row.key, entity: .named(only), named: name)
    } else {
      list.addObject(row.key, entity: .numbered(compiler.context.number(of: row)), named: name)
    }
  }

  /// Selects the section as the first column, with the name `section`.
  package mutating func selectSection() throws(CheckError) {
    guard let sections = request.sections else { return }
    part = \.sections
    try select(sections, named: "section")
  }

  package mutating func select(_ values: [CheckedRequest.Value]) throws(CheckError) {
    let isFolded = values.contains { folds($0.expression) }
    if isFolded, let sections = request.sections {
      part = \.sections
      throw CheckError(.sectionsOfFoldedRows(sections.expression.format), at: sections.range)
    }
    part = \.select
    for value in values {
      if isFolded || !request.groupBy.isEmpty {
        try requireGrouped(value.expression, named: value.name)
      }
      try select(value.expression, named: value.name)
    }
  }

  private mutating func select(
    _ expression: TypedExpression, named name: String
  ) throws(CheckError) {
    compiler.allowsAggregates = true
    defer { compiler.allowsAggregates = false }
    let operand = try compiler.operand(expression)
    switch operand.type {
    case .attribute(let type):
      list.addValue(operand.sql, as: type, named: name, isExternal: operand.isExternal)
    case .entity:
      list.addValue(entityName(operand), as: .string, named: name)
    case .any:
      let type: AttributeType =
        if case .attribute(let type)? = operand.constant?.type { type } else { .undefined }
      list.addValue(operand.sql, as: type, named: name)
    case .object, .collection:
      if let row = operand.row { return selectObjectID(of: row, named: name) }
      throw CheckError(
        .unexpected(operand.type, expected: "a single value", by: "a column"), at: expression.range)
    }
  }

  /// Returns SQL that converts a `Z_ENT` to the entity's name: `CASE t0.Z_ENT WHEN 1 THEN 'Item' … END`.
  private func entityName(_ operand: Operand) -> SQL {
    let numbers = operand.row?.entity.subtree ?? []
    let cases = numbers.compactMap { compiler.layout.entity(numbered: $0) }
      .filter { !$0.isAbstract }.map { entity -> SQL in
        " WHEN \(.number(entity.number)) THEN \(value: .text(entity.name))"
      }
    return "CASE \(operand.sql)\(cases.joined("")) END"
  }
}
