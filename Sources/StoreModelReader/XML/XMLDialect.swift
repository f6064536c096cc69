/// What kind of file is read, as far as XML is concerned.
package struct XMLDialect: Hashable, Sendable {
  /// For messages: `a model`.
  package let noun: String
  /// The root element's name.
  package let root: String
  package let keepsText: Bool
  package let allowsDocumentType: Bool

  /// Keeps everything in attributes.
  package static let model = XMLDialect(
    noun: "a model", root: "model", keepsText: false, allowsDocumentType: false)

  /// SQL stands in text.
  package static let definition = XMLDialect(
    noun: "a migration", root: "migration", keepsText: true, allowsDocumentType: false)

  /// Core Data's own XML store, which names its DTD and keeps values in text.
  package static let mappingModel = XMLDialect(
    noun: "a mapping model", root: "database", keepsText: true, allowsDocumentType: true)
}
