package import StoreDiagnostics
package import StoreModel

/// A model as the XML of one version, in Xcode's form.
///
///     let text = try ModelXML.text(of: model)
package enum ModelXML {
  /// Returns the content of a `contents` file.
  ///
  /// - Parameters:
  ///   - note: a comment about the whole model, which is written after the start tag of the root. Each line becomes a
  ///     comment.
  ///   - comments: the comments about parts of the model, by part. They are written before the elements of the parts.
  ///     Each line becomes a comment.
  /// - Throws: `ModelXMLError` if a value contains a character that XML can't represent.
  package static func text(
    of model: DataModel, note: String? = nil, comments: [ModelPart: String] = [:]
  ) throws(ModelXMLError) -> String {
    var writer = MarkupWriter()
    try writer.write(ModelMarkup(model: model, comments: comments).root(note: note))
    return writer.text
  }
}

/// The reason why a model can't be written as XML.
package enum ModelXMLError: DiagnosableError, Hashable {
  /// A character that XML 1.0 can't represent.
  ///
  /// - Parameter owner: the path of the part that contains the character: the names of the enclosing parts, then its
  ///   own name, such as an entity and its property. It is empty if the model itself contains the character.
  case character(Unicode.Scalar, attribute: String, element: String, owner: [String])

  package var diagnostics: [DiagnosticMessage] {
    switch self {
    case .character(let scalar, let attribute, let element, let owner):
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      let subject = owner.isEmpty ? "the model" : "'\(owner.joined(separator: "."))'"
      return [
        DiagnosticMessage(
          .error, "model.no-xml",
          "\(subject) can't be written as XML: the value of '\(attribute)' in its <\(element)> element contains \(code)"
        ).helping("XML can't represent this character: remove it from the model")
      ]
    }
  }
}
