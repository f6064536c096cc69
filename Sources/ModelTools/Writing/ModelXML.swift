package import StoreDiagnostics
package import StoreModel

/// A model as the XML of one version, in Xcode's form.
///
///     let text = try ModelXML.text(of: model)
package enum ModelXML {
  /// The content of a `contents` file.
  ///
  /// - Parameters:
  ///   - note: comments about the whole model, at its head.
  ///   - comments: comments about its parts, above their elements. Each line is a comment.
  /// - Throws: `ModelXMLError` for text that XML can't represent.
  package static func text(
    of model: Model, note: String? = nil, comments: [ModelPart: String] = [:]
  ) throws(ModelXMLError) -> String {
    var writer = MarkupWriter()
    try writer.write(ModelMarkup(model: model, comments: comments).root(note: note))
    return writer.text
  }
}

/// The reason if a model can't be written as XML.
package enum ModelXMLError: Error, Hashable {
  /// A character that XML 1.0 can't represent.
  ///
  /// - Parameter owner: the names of the enclosing elements, beginning with the outermost: an entity, its property.
  case character(Unicode.Scalar, attribute: String, element: String, owner: [String])
}

extension ModelXMLError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    switch self {
    case .character(let scalar, let attribute, let element, let owner):
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      let subject = owner.isEmpty ? "the model" : "'\(owner.joined(separator: "."))'"
      return [
        Diagnostic(
          .error, "model.no-xml",
          "\(subject) can't be written as XML: '\(attribute)' of its '\(element)' holds \(code)"
        ).helping("XML can't represent this character: remove it from the model")
      ]
    }
  }
}
