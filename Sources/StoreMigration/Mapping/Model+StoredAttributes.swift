import StoreLayout
package import StoreModel

extension Model {
  /// An attribute that has a column, or an element of a composite by its path.
  package func storedAttribute(_ path: String, of entity: String) -> Attribute? {
    self.entity(named: entity).flatMap { entity in
      storedAttributes(of: entity).first { $0.name == path }
    }
  }

  func storedType(of path: String, in entity: String) -> AttributeType? {
    storedAttribute(path, of: entity)?.type
  }
}
