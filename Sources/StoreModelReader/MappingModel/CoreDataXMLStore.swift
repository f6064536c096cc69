import StoreModel
import StorePredicate

/// The objects of a store in Core Data's XML format. Mapping models have this format.
struct CoreDataXMLStore {
  struct Object {
    let element: XMLElement
    /// The elements of the object's attributes, by the attribute's name.
    let attributes: [String: XMLElement]
    /// The IDs of the destination objects in the order of the file, by the relationship's name.
    let references: [String: [String]]
  }

  let source: XMLSource
  /// The objects by their ID.
  let objects: [String: Object]

  init(_ root: XMLElement, in source: XMLSource) {
    self.source = source
    objects = root.children(named: "object", by: "id").mapValues { Object($0) }
  }

  /// Returns the first object of an entity in the file. The entity's name must be in uppercase.
  func first(of entity: String) -> Object? {
    objects.values.filter { $0.element["type"] == entity }
      .min { $0.element.tagEnd < $1.element.tagEnd }
  }

  func members(_ relationship: String, of object: Object) -> [Object] {
    (object.references[relationship] ?? []).compactMap { objects[$0] }
  }

  func place(of object: Object) -> WrittenPlace { source.place(of: object.element.spot) }

  /// Returns the location of an attribute whose value is text in the predicate language. If the attribute is missing,
  /// returns the location of the object.
  func place(of name: String, of object: Object, _ context: String) -> WrittenPlace {
    guard let attribute = object.attributes[name] else { return place(of: object) }
    var place = source.place(of: attribute.textSpot)
    place.text = PredicateText(
      attribute.text, origin: source.origin(of: attribute.textSpot), context: context)
    return place
  }
}

extension CoreDataXMLStore.Object {
  fileprivate init(_ element: XMLElement) {
    self.element = element
    attributes = element.children(named: "attribute", by: "name")
    references = element.children(named: "relationship", by: "name").mapValues {
      ($0["idrefs"] ?? "").split(separator: " ").map(String.init)
    }
  }

  /// Returns the text of an attribute, or nil if it is missing or empty.
  subscript(name: String) -> String? {
    attributes[name].flatMap { $0.text.isEmpty ? nil : $0.text }
  }
}

extension XMLElement {
  /// Returns the children with a name, by the value of an attribute. Of several children with the same value, it
  /// contains the first one.
  fileprivate func children(named name: String, by attribute: String) -> [String: XMLElement] {
    let pairs = children(named: name).compactMap { child in child[attribute].map { ($0, child) } }
    return Dictionary(pairs) { first, _ in first }
  }
}
