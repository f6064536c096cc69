import ModelArchives
import StoreDiagnostics
import StoreModel
import StorePredicate

/// Converts the objects of a mapping model to a `MigrationDefinition`.
struct MappingModelDecoder {
  let store: CoreDataXMLStore
  var findings: Findings

  /// Returns nil and reports an error if the file isn't a mapping model or doesn't specify both versions.
  mutating func decode(_ root: XMLElement) -> MappingModelReading? {
    guard root.name == XMLDialect.mappingModel.root,
      let model = store.first(of: "XDDEVMAPPINGMODEL")
    else {
      findings.report(MappingModelIssue.notAMappingModel(root.name), at: root.spot)
      return nil
    }
    guard let from = version("sourcemodelpath", of: model),
      let to = version("destinationmodelpath", of: model)
    else { return nil }
    // Entity mappings to which the mapping model doesn't refer are ignored. Xcode can leave them in the file.
    let entities = store.members("entitymappings", of: model).sorted {
      (Int($0["mappingnumber"] ?? "") ?? 0) < (Int($1["mappingnumber"] ?? "") ?? 0)
    }
    var definition = MigrationDefinition(from: from.name, to: to.name, isMappingModel: true)
    for entity in entities { add(entity, to: &definition) }
    return MappingModelReading(
      definition: definition, diagnostics: findings.diagnostics, bundle: to.bundle)
  }

  /// Returns the names of the version and the bundle in the path that `attribute` contains, such as
  /// `Models/Shop.xcdatamodeld/Shop 2.xcdatamodel`. Returns nil and reports an error if the attribute is missing.
  private mutating func version(
    _ attribute: String, of model: CoreDataXMLStore.Object
  ) -> (name: Written<String>, bundle: String)? {
    guard let path = model[attribute] else {
      findings.report(MappingModelIssue.noVersion(attribute), at: model.element.spot)
      return nil
    }
    let name = ModelPath.stem(of: LocalPath(path), without: [ModelPath.versionExtension])
    let bundle = ModelPath.stem(
      of: ModelPath.folder(of: LocalPath(path)), without: [ModelPath.bundleExtension])
    return (Written(name, at: store.place(of: model)), bundle)
  }

  private mutating func add(
    _ mapping: CoreDataXMLStore.Object, to definition: inout MigrationDefinition
  ) {
    let place = store.place(of: mapping)
    let source = mapping["sourcename"].map { Written($0, at: place) }
    if let policy = mapping["migrationpolicyclassname"] {
      let entity = mapping["destinationname"] ?? mapping["sourcename"] ?? ""
      findings.report(
        MappingModelIssue.policy(policy, entity: entity), at: mapping.element.spot)
    }
    guard let name = mapping["destinationname"] else {
      // A mapping without a destination removes the source entity.
      if let source { definition.drops.append(DropDefinition(entity: source)) }
      return
    }
    // A mapping without a source doesn't create any rows.
    guard source != nil else { return }
    var entity = EntityDefinition(
      name: Written(name, at: place), source: source, filter: filter(of: mapping, name))
    for attribute in properties("attributemappings", of: mapping, name) {
      guard let value = attributeValue(of: attribute) else { continue }
      entity.attributes.append(AttributeDefinition(name: attribute.name, value: value))
    }
    for relationship in properties("relationshipmappings", of: mapping, name) {
      guard let path = path(of: relationship) else { continue }
      entity.relationships.append(RelationshipDefinition(name: relationship.name, .path(path)))
    }
    definition.entities.append(entity)
  }

  /// The mapping of an attribute or a relationship.
  private struct PropertyMapping {
    let object: CoreDataXMLStore.Object
    let name: Written<String>
    let entity: String
    /// The class of the app whose code creates the rows of the entity.
    let policy: String?

    var context: String { "in '\(entity).\(name.meaning)'" }
  }

  private func properties(
    _ relationship: String, of mapping: CoreDataXMLStore.Object, _ entity: String
  ) -> [PropertyMapping] {
    store.members(relationship, of: mapping).compactMap { object in
      object["name"].map { name in
        PropertyMapping(
          object: object, name: Written(name, at: store.place(of: object)), entity: entity,
          policy: mapping["migrationpolicyclassname"])
      }
    }.sorted { $0.name.meaning < $1.name.meaning }
  }

  private mutating func filter(
    of mapping: CoreDataXMLStore.Object, _ entity: String
  ) -> Written<FormatPredicate>? {
    guard let filter = mapping["sourcefilterpredicatestring"] else { return nil }
    let place = store.place(
      of: "sourcefilterpredicatestring", of: mapping, "in entity '\(entity)'")
    do throws(PredicateSyntaxError) {
      return Written(try FormatPredicate(parsing: filter), at: place)
    } catch {
      findings.reportLocated(
        place.locate(error.diagnostic(in: PredicateText(filter)), at: error.range),
        near: mapping.element.spot)
      return nil
    }
  }

  // MARK: Values

  /// Returns the expression of an attribute. Returns nil if the mapping has no expression, so that the value is copied
  /// as in an inferred migration. Also returns nil, and reports it, if the expression isn't supported.
  private mutating func attributeValue(
    of mapping: PropertyMapping
  ) -> Written<FormatExpression>? {
    switch value(of: mapping) {
    case .plain(let expression)?: return written(expression.withoutURLText, mapping)
    case .destinations?: reportUnreadable("rows instead of a value", mapping)
    case .policy, .unknown, nil: break
    }
    return nil
  }

  /// Returns the path of a relationship. Returns nil if the mapping has no expression, so that an inferred migration
  /// determines the destinations. Also returns nil, and reports it, if the expression isn't supported.
  private mutating func path(of mapping: PropertyMapping) -> Written<FormatExpression>? {
    if let path = mapping.object["sourcekeypath"] {
      let place = store.place(of: "sourcekeypath", of: mapping.object, mapping.context)
      return Written(FormatExpression.sourcePath(path).withoutUnions, at: place)
    }
    switch value(of: mapping) {
    case .destinations(let expression)?: return written(expression.withoutUnions, mapping)
    // `$source` alone leads to another row that the same source row becomes. NULL leads to no row.
    case .plain(let expression)? where expression.overRow.kind == .selfObject,
      .plain(let expression)? where expression.kind == .constant(.null):
      return written(expression, mapping)
    case .plain(let expression)?: reportUnreadable("'\(expression.format)'", mapping)
    case .policy, .unknown, nil: break
    }
    return nil
  }

  /// Returns the archived expression, and reports it if it isn't supported. Returns nil if the file contains no
  /// expression because Core Data generates it. An inferred migration has the same result.
  private mutating func value(of mapping: PropertyMapping) -> ArchivedExpression? {
    guard let text = mapping.object["valueexpressiondata"] else {
      return mapping.object["autogenerateexpression"] == "0" ? .plain(.value(.null)) : nil
    }
    let value = ArchivedExpression(base64: text)
    switch value {
    case .plain, .destinations: break
    case .policy(let selector, let arguments):
      findings.report(
        MappingModelIssue.policyValue(
          selector, arguments: arguments.map { $0.overRow.format }, policy: mapping.policy,
          property: mapping.name.meaning, entity: mapping.entity),
        at: mapping.object.element.spot)
    case .unknown(let what): reportUnreadable(what, mapping)
    }
    return value
  }

  private mutating func reportUnreadable(_ what: String, _ mapping: PropertyMapping) {
    findings.report(
      MappingModelIssue.unreadable(what, property: mapping.name.meaning, mapping.entity),
      at: mapping.object.element.spot)
  }

  /// Returns an archived expression with the location of its mapping. A note in the excerpt contains the text of the
  /// expression, because the file contains only the archive.
  private func written(
    _ expression: FormatExpression, _ mapping: PropertyMapping
  ) -> Written<FormatExpression> {
    let expression = expression.overRow
    var place = mapping.name.place
    place.excerpt?.note = "\(mapping.context): \(expression.format)"
    return Written(expression, at: place)
  }
}

extension FormatExpression {
  /// Parses `$source.owner.city`, or `$source` for the row itself. Each key has its range in `text`.
  fileprivate static func sourcePath(_ text: String) -> FormatExpression {
    let variable = "$\(MigrationDefinition.sourceVariable)"
    if text == variable { return FormatExpression(.selfObject) }
    let prefix = variable + "."
    let isPrefixed = text.hasPrefix(prefix)
    let path = FormatExpression.path(isPrefixed ? String(text.dropFirst(prefix.count)) : text)
    guard case .keyPath(let base, let steps) = path.kind else { return path }
    var start = isPrefixed ? prefix.utf8.count : 0
    let placed = steps.map { step in
      var step = step
      let end = start + step.text.utf8.count
      step.range = TextRange(start..<end)
      start = end + 1
      return step
    }
    return FormatExpression(.keyPath(base: base, placed), range: TextRange(0..<text.utf8.count))
  }

  /// The expression without the variable `$source`. For example, `$source.name` becomes `name`.
  fileprivate var overRow: FormatExpression {
    substituting([MigrationDefinition.sourceVariable: FormatExpression(.selfObject)])
  }

  /// The key path without union operators, because a path through several to-many relationships is always a union.
  fileprivate var withoutUnions: FormatExpression {
    guard case .keyPath(let base, let steps) = kind else { return self }
    let keys = steps.filter { $0.function?.makesCollection != true }
    return FormatExpression(.keyPath(base: base, keys), range: range)
  }

  /// The key path without a final `absoluteString`, because a store contains a URI as text.
  fileprivate var withoutURLText: FormatExpression {
    guard case .keyPath(let base, let steps) = kind, steps.count > 1,
      steps.last?.kind == .key("absoluteString")
    else { return self }
    return FormatExpression(.keyPath(base: base, steps.dropLast()), range: range)
  }
}

/// An archived expression of a mapping model (docs/formats/mapping-models.md).
enum ArchivedExpression {
  /// An expression of the predicate language. `$source` is the source row.
  case plain(FormatExpression)
  /// The rows that are migrated from the source rows to which the expression leads.
  case destinations(of: FormatExpression)
  /// A call of a method of the app's migration policy.
  case policy(selector: String, arguments: [FormatExpression])
  /// An unsupported expression, with a description for the message.
  case unknown(String)

  /// - Parameter text: The archive in base64.
  init(base64 text: String) {
    do throws(KeyedArchiveError) {
      self = try Self.decode(try KeyedArchive(base64: text).root)
    } catch {
      self = .unknown(error.reason)
    }
  }

  /// Method calls on `$entityPolicy` and `$manager` are recognized only if they are the whole expression.
  private static func decode(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> ArchivedExpression {
    var expressions = ArchivedExpressions()
    guard
      case .method(let receiver, let selector, let arguments) = try expressions.expression(
        object
      ).kind, case .variable(let name) = receiver.kind
    else { return .plain(try expressions.expression(object)) }
    switch (name, selector) {
    case ("entityPolicy", _): return .policy(selector: selector, arguments: arguments)
    case ("manager", "destinationInstancesForEntityMappingNamed:sourceInstances:"),
      ("manager", "destinationInstancesForSourceRelationshipNamed:sourceInstances:"):
      return arguments.last.map { .destinations(of: $0) }
        ?? .unknown("'\(selector)' without arguments")
    case ("manager", _): return .unknown("'\(selector)' of $manager")
    default: return .plain(try expressions.expression(object))
    }
  }
}
