import SQLiteAccess
import StoreDiagnostics
import StoreModel
import StorePredicate

/// The error of a value that its Swift type can't represent.
struct UnreadableValue: Error, Hashable {
  enum Row: Hashable {
    case object(entity: String, key: Int64)
    /// The number of the row, starting at 1, in a result without object IDs.
    case number(Int, of: String)
  }

  var problem: RowMismatch
  /// The property or the selected expression.
  var property: String
  var found: SQLiteValue
  var row: Row
}

extension UnreadableValue: DiagnosableError {
  var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch problem {
    case .missing:
      DiagnosticMessage(
        .error, "row.missing-value",
        "\(place) has no value for '\(property)', which the model requires"
      ).helping(remedy).helping("or make '\(property)' optional in the model")
    case .unreadable(let type):
      DiagnosticMessage(
        .error, "row.unreadable-value",
        "'\(property)' of \(place) is \(found.literal), which isn't \(type.withArticle)"
      ).helping(remedy)
    }
  }

  private var place: String {
    switch row {
    case .object(let entity, let key): "row \(key) of '\(entity)'"
    case .number(let number, let entity): "row \(number) of the result for '\(entity)'"
    }
  }

  private var remedy: DiagnosticRemedy {
    guard case .object(let entity, let key) = row else { return .store(.verify) }
    let id = ObjectID(store: nil, entity: entity, primaryKey: key).uri
    return .store(
      .setValue(
        entity: entity, property: property, objectID: id, isMissing: problem == .missing))
  }
}
