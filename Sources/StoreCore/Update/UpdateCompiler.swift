import PredicateSQL
package import StoreLayout
import SQLiteAccess
import StoreDiagnostics
package import StoreModel
package import StorePredicate

extension BatchUpdate {
  /// Returns the plan of the update for a store with this layout, without reading the store.
  ///
  /// - Parameters:
  ///   - storeUUID: the UUID of the store. An object ID with another UUID is an error.
  ///   - texts: the parsed texts of the predicate and the values, in which errors mark the location.
  /// - Throws: `UpdateError` for properties and values that can't be set; `CheckErrors` for parts that don't fit the
  ///   model; `ModelLookupError`.
  package func plan(
    in layout: StoreLayout, storeUUID: String?, texts: UpdateTexts = UpdateTexts()
  ) throws -> UpdatePlan {
    let entity = try layout.model.requireEntity(named: entity)
    guard let place = layout.entity(named: entity.name) else {
      throw ModelLookupError.unknownEntity(entity.name, known: layout.entities.map(\.name))
    }
    var compiler = UpdateCompiler(
      self, of: entity, at: place, in: layout, storeUUID: storeUUID, texts: texts)
    return try compiler.compile()
  }
}

/// The parsed text of an update's predicate, and the parsed texts of its values by the name of the property. A part
/// that wasn't parsed from text is missing.
package struct UpdateTexts: Sendable {
  package var predicate: PredicateText?
  package var values: [String: PredicateText] = [:]

  package init() {}
}

/// Compiles a batch update, one value after another.
private struct UpdateCompiler {
  let update: BatchUpdate
  let entity: EntityDescription
  let place: EntityLayout
  let layout: StoreLayout
  let storeUUID: String?
  let texts: UpdateTexts
  /// The properties that can be set, and the reasons why others can't.
  var properties: InsertPlanBuilder
  var fetch: FetchCompiler
  var columns: [UpdatePlan.Column] = []
  var rules: [UpdatePlan.Rule] = []
  var nullables: [UpdatePlan.Nullable] = []
  var references: [UpdatePlan.Reference] = []
  var links: [UpdatedLink] = []
  var owners: [UpdatedOwners] = []
  /// Whether all values so far depend only on columns of the row itself.
  var readsRowOnly = true

  init(
    _ update: BatchUpdate, of entity: EntityDescription, at place: EntityLayout,
    in layout: StoreLayout,
    storeUUID: String?, texts: UpdateTexts
  ) {
    self.update = update
    self.entity = entity
    self.place = place
    self.layout = layout
    self.storeUUID = storeUUID
    self.texts = texts
    properties = InsertPlanBuilder(entity: entity, place: place, layout: layout)
    properties.addAttributes()
    properties.addToOnes()
    let request = CheckedRequest(
      entity: entity.name, includesSubentities: update.includesSubentities)
    fetch = FetchCompiler(request, of: place, in: layout, storeUUID: storeUUID)
  }

  mutating func compile() throws -> UpdatePlan {
    for assignment in update.values { try add(assignment) }
    if let predicate = update.predicate {
      fetch.request.predicate = try PredicateChecker(model: layout.model, entity: entity.name)
        .check(predicate, in: texts.predicate).typed
    }
    var conditions: [SQL]
    do throws(CheckError) {
      conditions = try fetch.conditions()
      // A single condition has no parentheses, but further conditions are appended with AND.
      if conditions.count == 1 { conditions = ["(\(conditions[0]))"] }
    } catch {
      throw CheckErrors([error], in: texts.predicate)
    }
    let context = fetch.compiler.context
    return UpdatePlan(
      entity: entity.name, table: place.table, alias: fetch.compiler.root.alias ?? place.table,
      source: context.mainSource, conditions: conditions, columns: columns, rules: rules,
      nullables: nullables, references: references, uniqueness: properties.uniqueness, links: links,
      owners: owners,
      properties: update.values.map(\.property),
      isDirect: readsRowOnly && links.isEmpty && owners.isEmpty && !context.hasJoins,
      validates: update.validates)
  }

  private mutating func add(_ assignment: BatchUpdate.Assignment) throws {
    let name = assignment.property
    guard let field = properties.fields.first(where: { $0.name == name }) else {
      if let reason = properties.refused[name] {
        throw UpdateError.notSettable(name, entity: entity.name, reason)
      }
      throw UpdateError.unknownProperty(
        name, entity: entity.name, known: properties.fields.map(\.name).sorted())
    }
    switch field.content {
    case .attribute(let type, let isExternal):
      let checker = PredicateChecker(model: layout.model, entity: entity.name)
      let checked: TypedExpression
      do throws(CheckErrors) {
        let value = try checker.check(
          assignment.value, as: .attribute(type), in: texts.values[name])
        checked = value.typed
      } catch {
        throw error.ofAssignment(to: name, as: type, assignment.value)
      }
      try add(checked, to: field, type, isExternal: isExternal)
    case .toOne(let toOne): try add(assignment.value, to: field, toOne)
    }
  }

  // MARK: Attributes

  private mutating func add(
    _ expression: TypedExpression, to field: InsertPlan.Field, _ type: AttributeType,
    isExternal: Bool
  ) throws {
    guard let column = place.attributes[field.name]?.column else { return }
    if case .constant(let value) = expression.kind {
      let stored = try constant(value, for: field, type, isExternal: isExternal)
      columns.append(.init(name: column, value: .value(stored)))
      return
    }
    guard !isExternal else { throw UpdateError.computedBytes(property: field.name) }
    if !expression.readsAttributes(of: place) { readsRowOnly = false }
    let computed = try compiled(field.name) { compiler throws(CheckError) in
      try compiler.value(expression)
    }
    let value: SQL = type == .float ? "NUMBER_SINGLE(\(computed))" : "(\(computed))"
    columns.append(.init(name: column, value: value))
    let causes = expression.nullCauses(assignedTo: field.name)
    rules += ComputedValueRules(field: field, type: type, nullCauses: causes)
      .rules(for: value, validates: update.validates)
    addNullable(field, column: column, value, causes)
  }

  /// Adds a value to `nullables` if it can be NULL for another reason than a `nil` in the expression, unless a rule
  /// rejects NULL.
  private mutating func addNullable(
    _ field: InsertPlan.Field, column: String, _ value: SQL, _ causes: Set<NullCause>
  ) {
    guard !causes.subtracting([.written]).isEmpty, !field.isRequired || !update.validates else {
      return
    }
    nullables.append(
      .init(property: field.name, column: column, value: value, causes: causes))
  }

  private func constant(
    _ value: DataValue, for field: InsertPlan.Field, _ type: AttributeType, isExternal: Bool
  ) throws(UpdateError) -> SQLiteValue {
    do throws(ValueError) {
      let stored = try type.stored(value, isExternal: isExternal)
      guard update.validates else { return stored }
      if stored == .null, field.isRequired { throw .missing }
      let rows = PackedRows(width: 1)
      try ValueRules(field)?.check(rows.cell(of: stored), in: rows)
      return stored
    } catch {
      throw .value(property: field.name, shown: value.plainText, error)
    }
  }

  // MARK: To-one relationships

  private mutating func add(
    _ value: FormatExpression, to field: InsertPlan.Field, _ toOne: InsertPlan.ToOne
  ) throws {
    guard let column = place.toOne[field.name] else { return }
    let (key, number) = try object(value, for: field, toOne)
    let valueColumn = "v\(columns.count)"
    columns.append(.init(name: column.column, value: key))
    if let entityColumn = column.entityColumn {
      columns.append(.init(name: entityColumn, value: number))
    }
    if let inverse = inverse(of: field.name), inverse.isToMany {
      owners.append(
        UpdatedOwners(
          property: inverse.name, table: layout.entity(named: column.destination)?.table ?? "",
          memberTable: place.table, column: column.column, value: valueColumn))
    }
    let partner = partner(of: field.name)
    guard column.orderColumn != nil || partner != nil else { return }
    links.append(
      UpdatedLink(
        property: field.name, table: place.table, column: column, isRequired: field.isRequired,
        destinationTable: layout.entity(named: column.destination)?.table ?? "",
        partner: partner, value: valueColumn))
  }

  /// Returns the key and the entity number of the destination, as SQL.
  private mutating func object(
    _ value: FormatExpression, for field: InsertPlan.Field, _ toOne: InsertPlan.ToOne
  ) throws -> (key: SQL, number: SQL) {
    // An ID is checked separately, with errors that contain its entity and store.
    if case .constant(.objectID(let id)) = value.kind {
      return try object(id, for: field, toOne)
    }
    let checker = PredicateChecker(model: layout.model, entity: entity.name)
    let typed: TypedExpression
    do throws(CheckErrors) {
      let checked = try checker.check(
        value, as: .object(toOne.destination), in: texts.values[field.name])
      typed = checked.typed
    } catch {
      throw error.ofAssignment(to: field.name, as: .objectID, value)
    }
    switch typed.constant {
    case .objectID(let id)?: return try object(id, for: field, toOne)
    case .null?:
      guard !update.validates || !field.isRequired else {
        throw UpdateError.value(property: field.name, shown: "nil", .missing)
      }
      return (.value(.null), .value(.null))
    default:
      let computed = try computedObject(typed, for: field)
      if let column = place.toOne[field.name]?.column {
        let causes = typed.nullCauses(assignedTo: field.name)
        addNullable(field, column: column, computed.key, causes)
      }
      return computed
    }
  }

  private mutating func object(
    _ id: ObjectID, for field: InsertPlan.Field, _ toOne: InsertPlan.ToOne
  ) throws(UpdateError) -> (key: SQL, number: SQL) {
    if let storeUUID, let other = id.store, other.uppercased() != storeUUID.uppercased() {
      throw .value(property: field.name, shown: id.uri, .foreignStore(other))
    }
    guard let number = toOne.entityNumbers[id.entity] else {
      throw .value(
        property: field.name, shown: id.uri,
        .wrongDestination(id.entity, expected: toOne.entityNumbers.keys.sorted()))
    }
    addReference(to: id, number, for: field)
    return (.number(id.primaryKey), .number(number))
  }

  private mutating func computedObject(
    _ value: TypedExpression, for field: InsertPlan.Field
  ) throws -> (key: SQL, number: SQL) {
    readsRowOnly = false
    let (key, number) = try compiled(field.name) { compiler throws(CheckError) in
      let operand = try compiler.operand(value)
      guard let row = operand.row else {
        throw CheckError(.unsupportedInStore("this value of a relationship"), at: value.range)
      }
      return (operand.sql, compiler.context.number(of: row))
    }
    if field.isRequired, update.validates {
      rules.append(
        .init(
          property: field.name, value: key, violation: "\(key) IS NULL", problem: .missing,
          nullCauses: value.nullCauses(assignedTo: field.name)))
    }
    return (key, number)
  }

  private mutating func addReference(
    to id: ObjectID, _ number: Int64, for field: InsertPlan.Field
  ) {
    guard let table = layout.entity(numbered: number)?.table else { return }
    references.append(
      .init(
        property: field.name, destination: id.entity, key: id.primaryKey,
        count: """
          SELECT COUNT(*) FROM \(name: table) \
          WHERE \(name: FixedColumn.primaryKey) = \(.number(id.primaryKey)) \
          AND \(name: FixedColumn.entity) = \(.number(number))
          """))
  }

  /// Returns the inverse of a one-to-one relationship, or nil for another relationship.
  private func partner(of name: String) -> UpdatedLink.Partner? {
    guard let inverse = inverse(of: name), !inverse.isToMany,
      let relationship = layout.model.relationships(of: entity).first(where: { $0.name == name }),
      let column = layout.entity(named: relationship.destination)?.toOne[inverse.name]
    else { return nil }
    return .init(property: inverse.name, column: column, isRequired: !inverse.isOptional)
  }

  private func inverse(of name: String) -> RelationshipDescription? {
    layout.model.relationships(of: entity).first { $0.name == name }
      .flatMap { layout.model.inverse(of: $0)?.0 }
  }

  private mutating func compiled<Result>(
    _ name: String, _ compile: (inout PredicateCompiler) throws(CheckError) -> Result
  ) throws(CheckErrors) -> Result {
    do throws(CheckError) {
      return try compile(&fetch.compiler)
    } catch {
      throw CheckErrors([error], in: texts.values[name])
    }
  }
}

extension DataValue {
  /// The text of the value in a message: a string without quotes, or an expression.
  fileprivate var plainText: String {
    if case .string(let text) = self { text } else { FormatExpression.value(self).format }
  }
}
