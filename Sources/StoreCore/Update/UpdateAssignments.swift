import RecordFormats
package import StoreLayout
import StoreDiagnostics
package import StoreModel
package import StorePredicate

/// The new values of a batch update in the user's notation: `done=true`, `priority:=priority + 1`,
/// `list:=(title == "Home")`.
package struct UpdateAssignments: Sendable {
  package let assignments: [Assignment]

  /// - Throws: `AssignmentError`
  package init(_ texts: [String]) throws(AssignmentError) {
    assignments = try Assignment.list(texts)
  }

  /// Returns the update of an entity's rows, and the texts of its expressions.
  ///
  /// - Parameter row: returns the only row of an entity that matches a predicate.
  /// - Throws: `ModelLookupError`, `UpdateError`, `CheckErrors`, `DiagnosticError`; an error of `row`.
  package func update(
    of entity: String, in layout: StoreLayout,
    row: (_ entity: String, CheckedPredicate) throws -> ObjectID
  ) throws -> (BatchUpdate, UpdateTexts) {
    let found = try layout.model.requireEntity(named: entity)
    var update = BatchUpdate(entity: found.name, values: [])
    var texts = UpdateTexts()
    for assignment in assignments {
      let place = layout.entity(named: found.name)
      let value: FormatExpression
      switch assignment.value {
      case .literal(let text):
        if let described = Self.description(text, of: assignment.name, at: place, in: layout) {
          let predicate = try described.row.predicate(of: described.entity, in: layout.model)
          value = .value(.objectID(try row(described.entity, predicate)))
        } else {
          value = try Self.literal(text, for: assignment.name, at: place, in: layout.model)
        }
      case .expression(let text):
        texts.values[assignment.name] = text
        if let destination = place?.toOne[assignment.name]?.destination,
          let described = RowDescription(text)
        {
          let predicate = try described.predicate(of: destination, in: layout.model)
          value = .value(.objectID(try row(destination, predicate)))
        } else if place?.toMany[assignment.name] != nil {
          // The plan rejects the name, regardless of the text.
          value = .value(.null)
        } else {
          value = try text.expression()
        }
      }
      update.values.append(.init(assignment.name, value))
    }
    return (update, texts)
  }

  /// Returns the destination entity of a to-one relationship, and the predicate that finds the row by its unique
  /// attribute. Returns nil for null, an object ID, and an entity without a unique attribute.
  private static func description(
    _ text: String, of name: String, at place: EntityLayout?, in layout: StoreLayout
  ) -> (entity: String, row: RowDescription)? {
    guard let toOne = place?.toOne[name], text != "null", !text.hasPrefix(ObjectIDText.scheme),
      let destination = layout.model.entity(named: toOne.destination),
      let unique = InsertPlan.UniqueKey(of: destination, in: layout)
    else { return nil }
    let value = FormatExpression(.constant(.string(text))).format
    let predicate = PredicateText("(\(unique.attribute) == \(value))", context: "in '\(name)'")
    return RowDescription(predicate).map { (toOne.destination, $0) }
  }

  /// Returns the value of a literal, or null for an unknown property, which the plan rejects with a better message.
  private static func literal(
    _ text: String, for name: String, at place: EntityLayout?, in model: DataModel
  ) throws(UpdateError) -> FormatExpression {
    if let type = place?.attributes[name]?.type {
      do {
        return .value(try ValueText.value(of: text, as: type))
      } catch {
        throw .value(property: name, shown: text, .wrongType(type))
      }
    }
    guard let toOne = place?.toOne[name], text != "null" else { return .value(.null) }
    guard let id = ObjectID(text: text) else {
      throw .value(
        property: name, shown: text,
        .noObjectID(
          describedBy: model.namingAttribute(of: toOne.destination), entity: toOne.destination))
    }
    return .value(.objectID(id))
  }
}
