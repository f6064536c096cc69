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
