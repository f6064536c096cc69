import SQLiteAccess
import StoreLayout

/// A column whose values are replaced by a statement that calls `FieldFunction` for each value.
struct ReplacedField {
  /// The index in the plan's `fields`, which is the first argument of `VALUE_REPLACED`.
  let number: Int
  /// The attribute, such as `Person.photo`, for messages.
  let name: String
  let column: String
  let replacement: ValueReplacement
  /// Whether values can be in external files.
  let isExternal: Bool
}

/// The SQL function that replaces a value: `VALUE_REPLACED(number of the field, value)`.
final class FieldFunction {
  static let name = "VALUE_REPLACED"

  private let fields: [ReplacedField]
  private let files: ReplacedFiles
  /// The error that ended a statement, if a file couldn't be read or written.
  private(set) var failure: (any Error)?

  init(_ fields: [ReplacedField], _ files: ReplacedFiles) {
    (self.fields, self.files) = (fields, files)
  }

  func register(on connection: Connection) throws(DatabaseError) {
    try connection.define(function: Self.name, arguments: 2) { [self] call in
      guard let number = call.integer(at: 0), let value = call.value(at: 1) else {
        return call.returnNull()
      }
      let field = fields[Int(number)]
      do {
        call.answer(try replaced(value, of: field))
      } catch is ValueReplacement.UnfitValue {
        call.fail(
          "a value of '\(field.name)' doesn't have the attribute's type, so '\(field.replacement.rule.text)' can't replace it"
        )
      } catch {
        failure = error
        call.fail("a file can't be read or written")
      }
    }
  }

  private func replaced(_ value: SQLiteValue, of field: ReplacedField) throws -> SQLiteValue {
    guard field.isExternal, case .blob(let stored) = value else {
      return try field.replacement.replaced(value)
    }
    return try files.replaced(stored, by: field.replacement)
  }
}
