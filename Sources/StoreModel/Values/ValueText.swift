public import StoreDiagnostics
public import StorePredicate

/// Reads a literal by the type of its attribute, as `key=text` writes it.
///
/// | type | text |
/// |---|---|
/// | Boolean | `true`, `false`, `yes`, `no`, `1`, `0`, in any case |
/// | Integer 16, 32, 64 | digits with an optional sign, within the type's range |
/// | Decimal, Double, Float | decimal digits, with an optional exponent; `NaN` for a Decimal, `Infinity` and `-Infinity` for the others |
/// | Date | ISO 8601; without a zone it is UTC |
/// | UUID | the 36 characters |
/// | Binary, Transformable | base64 |
/// | String, URI, Undefined | the text itself; the empty text is the empty string |
///
/// `null` is NULL for every type but String, where it is text like any other.
public enum ValueText {
  public static func value(
    of text: String, as type: AttributeType
  ) throws(ValueTextError) -> Value {
    if text == "null" && type != .string { return .null }
    guard let value = type.value(ofText: text) else {
      throw ValueTextError(text: text, type: type)
    }
    return value
  }
}

/// Text that is not a value of its attribute's type.
public struct ValueTextError: Error, Hashable, Sendable {
  public var text: String
  public var type: AttributeType
}

extension ValueTextError: DiagnosableError {
  public var diagnostics: [Diagnostic] { [diagnostic(for: nil)] }

  /// - Parameter key: the attribute or variable that the text was meant for.
  public func diagnostic(for key: String?) -> Diagnostic {
    let subject = key.map { " for '\($0)'" } ?? ""
    let error = Diagnostic(
      .error, "value.wrong-type", "'\(text)' is not \(type.name.withArticle)\(subject)")
    return type.form.map { error.helping("write it as \($0)") } ?? error
  }
}
