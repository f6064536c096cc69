/// Why a template can't be run with the values that were given for its variables.
public enum TemplateArgumentError: Error, Hashable {
  case unknownVariable(String, template: String, known: [String])
  case missing([TypedVariable], template: String)
  case wrongValue(String, variable: String, expected: ValueType)
  case needsList(String, variable: String, expected: ValueType)
}
