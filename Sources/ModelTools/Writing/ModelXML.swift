package import StoreDiagnostics
package import StoreModel

/// A model as the XML of one version, in the form that Xcode gives it.
///
///     let text = try ModelXML.text(of: model)
package enum ModelXML {
  /// The content of a `contents` file.
  ///
  /// - Parameters:
  ///   - note: what is to be said of the whole model, as comments at its head.
  ///   - comments: what is to be said of parts of it, above their elements; each line is a comment.
  /// - Throws: `ModelXMLError` for text that no XML can hold.
  package static func text(
    of model: Model, note: String? = nil, comments: [ModelPart: String] = [:]
  ) throws(ModelXMLError) -> String {
    var writer = MarkupWriter()
    try writer.write(ModelMarkup(model: model, comments: comments).root(note: note))
    return writer.text
  }
}

/// Why a model has no XML.
package enum ModelXMLError: Error, Hashable {
  /// XML 1.0 has no way to write some characters.
  ///
  /// - Parameter owner: the names of what the element is in, from the outside: an entity, its property.
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
        ).helping("XML has no way to write this character: take it out of the model")
      ]
    }
  }
}
