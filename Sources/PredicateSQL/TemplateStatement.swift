package import StoreLayout
import StoreModel
import StorePredicate
import SQLiteAccess

/// The statement of a fetch-request template for display, with parameters for its variables.
package struct TemplateStatement: Hashable, Sendable {
  package enum Parameter: Hashable, Sendable {
    /// A value for a variable, by the variable's name. A list has several parameters.
    case variable(String)
    /// A value of the template itself, in SQL syntax.
    case constant(String)
  }

  /// The statement with `?1`, `?2` … for the parameters.
  package let sql: String
  package let parameters: [Parameter]

  /// Compiles the template with sample values, then once for each variable with another sample value for only that
  /// variable. The parameters that differ belong to that variable.
  ///
  /// - Parameter template: the name of a template, or `Entity.property` for a fetched property.
  /// - Throws: `ModelLookupError` for an unknown template, `DiagnosticError` for an invalid template, `CheckErrors` for
  ///   a template that can't be run on a store.
  package init(_ template: String, in layout: StoreLayout) throws {
    let variables = try layout.model.requireTemplate(named: template).checked(in: layout.model)
      .variables
    func statement(changing changed: String?) throws -> (text: String, values: [SQLiteValue]) {
      let samples = variables.map { ($0.name, $0.type.sample(isOther: $0.name == changed)) }
      return try layout.model.fetchRequest(
        fromTemplate: template, substituting: Dictionary(samples) { first, _ in first }
      ).sql(in: layout).sql.rendered()
    }
    let (text, values) = try statement(changing: nil)
    var parameters = values.map { Parameter.constant($0.literal) }
    for variable in variables {
      let others = try statement(changing: variable.name).values
      for index in parameters.indices where others.count == values.count {
        if others[index] != values[index] { parameters[index] = .variable(variable.name) }
      }
    }
    (sql, self.parameters) = (text, parameters)
  }
}

extension ValueType {
  /// Returns a value that can be compared with values of this type.
  ///
  /// - Parameter isOther: whether to return the second of two different values.
  fileprivate func sample(isOther: Bool) -> FormatExpression {
    switch self {
    case .any: .value(.string(isOther ? "b" : "a"))
    case .object(let entity):
      .value(.objectID(ObjectID(store: nil, entity: entity, primaryKey: isOther ? 2 : 1)))
    // The name of an entity would determine the tables of the statement, so it can't have two samples.
    case .entity: .value(.null)
    case .collection(let element):
      FormatExpression(
        .list([element.sample(isOther: isOther), element.sample(isOther: isOther)]))
    case .attribute(let type): .value(type.sample(isOther: isOther))
    }
  }
}

extension AttributeType {
  fileprivate func sample(isOther: Bool) -> DataValue {
    switch self {
    case .integer16, .integer32, .integer64: .integer(isOther ? 2 : 1)
    case .decimal, .double, .float: .double(isOther ? 2.5 : 1.5)
    case .boolean: .boolean(isOther)
    case .date: .date(isOther ? 2 : 1)
    case .uuid: DataValue(uuid: Array(repeating: isOther ? 2 : 1, count: 16)) ?? .null
    case .binary: .binary([isOther ? 2 : 1])
    case .string, .uri, .undefined, .transformable, .objectID, .composite:
      .string(isOther ? "b" : "a")
    }
  }
}
