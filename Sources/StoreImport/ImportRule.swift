package import RecordFormats
import StoreDiagnostics
import StoreLayout
package import StoreModel

/// A rule such as `priceInfo.priceCategory=price.currency`: a key path of the model, and the path of its value in the
/// JSON record.
package struct ImportRule: Hashable, Sendable {
  package var property: [String]
  package var json: [String]

  package init(property: [String], json: [String]) {
    self.property = property
    self.json = json
  }

  /// Reads `property=path`, or returns nil if `text` has no `=` or an empty name.
  package init?(_ text: String) {
    guard let (left, right) = text.split(atFirst: "=") else { return nil }
    self.init(property: left, json: right)
  }

  /// Reads two paths, or returns nil if one of them has an empty name.
  init?(property: String, json: String) {
    func path(_ part: String) -> [String] {
      part.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        .map { Substring($0).trimmingSpaces() }
    }
    let (property, json) = (path(property), path(json))
    guard !property.contains(""), !json.contains("") else { return nil }
    self.init(property: property, json: json)
  }

  /// The rule as `property=path`.
  package var text: String {
    property.joined(separator: ".") + "=" + json.joined(separator: ".")
  }

  /// Checks that the key path consists of to-one relationships, followed by an attribute or a relationship.
  ///
  /// - Throws: `ImportError.badRule`
  package func check(from entity: EntityDescription, in model: DataModel) throws(ImportError) {
    var owner = entity
    for (index, key) in property.enumerated() {
      let isLast = index == property.count - 1
      let rest = property[index...].joined(separator: ".")
      // The rest of the path can name an element of a composite attribute: the element's name is `composite.element`.
      if model.storedAttributes(of: owner).contains(where: { $0.name == rest }) { return }
      switch model.property(named: key, of: owner)?.0 {
      case .relationship(let relationship):
        guard !isLast else { return }
        guard !relationship.isToMany else { throw .badRule(self, .throughToMany(key)) }
        guard let next = model.entity(named: relationship.destination) else { return }
        owner = next
      case .attribute where isLast: return
      case .attribute, .fetched:
        throw .badRule(self, .noRelationship(key, entity: owner.name))
      case nil:
        let names =
          model.attributes(of: owner).map(\.name) + model.relationships(of: owner).map(\.name)
        throw .badRule(self, .unknownKey(key, entity: owner.name, known: names))
      }
    }
  }
}

extension JSONValue {
  /// Returns the value at a path of keys, or nil if a key is missing.
  package func value(at path: [String]) -> JSONValue? {
    var value = self
    for key in path {
      guard let next = value[key] else { return nil }
      value = next
    }
    return value
  }

  package var isNull: Bool { content == .null }

  /// The kind of the value for messages, such as "an array".
  package var kindName: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a boolean"
    case .null: "null"
    }
  }
}
