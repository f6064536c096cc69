public import StoreDiagnostics
public import StorePredicate

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Converts the text of a literal, as in `key=text`, to the type of its attribute.
///
/// | type | text | |---|---| | Boolean | `true`, `false`, `yes`, `no`, `1`, `0`, in any case | | Integer 16, 32, 64 |
/// digits with an optional sign, within the type's range | | Decimal, Double, Float | a decimal number, with an
/// optional exponent; `NaN` for Decimal, `Infinity` and `-Infinity` otherwise | | Date | ISO 8601; without a zone it is
/// UTC | | UUID | the 36 characters | | Binary, Transformable | base64 | | String, URI, Undefined | the text itself;
/// the empty text is the empty string |
///
/// `null` is NULL for all types except String.
public enum ValueText {
  /// Converts text to a value.
  ///
  /// - Parameters:
  ///   - text: The text of the literal.
  ///   - type: The type of the attribute.
  /// - Returns: The value.
  /// - Throws: `ValueTextError` if the text isn't a value of the type.
  public static func value(
    of text: String, as type: AttributeType
  ) throws(ValueTextError) -> DataValue {
    if text == "null" && type != .string { return .null }
    guard let value = type.value(ofText: text) else {
      throw ValueTextError(text: text, type: type)
    }
    return value
  }
}

/// Text that isn't a value of the type of its attribute.
public struct ValueTextError: Error, Hashable, Sendable {
  /// The text.
  public var text: String
  /// The required type.
  public var type: AttributeType
}

extension ValueTextError: DiagnosableError {
  public var diagnostics: [DiagnosticMessage] { [diagnostic(for: nil)] }

  /// Returns the diagnostic of the error.
  ///
  /// - Parameter key: The name of the attribute or variable whose value is wrong, for the message.
  public func diagnostic(for key: String?) -> DiagnosticMessage {
    let type = self.type.name.withArticle
    return DiagnosticMessage(
      .error, "value.wrong-type",
      key.map { "'\($0)' takes \(type), not '\(text)'" } ?? "'\(text)' isn't \(type)"
    ).helping(withForm: self.type.form)
  }
}

extension ValueTextError: LocalizedError {}
