/// An element of an XML file.
package struct XMLElement: Sendable {
  package struct Attribute: Sendable {
    package let name: String
    /// Entities are resolved.
    package let value: String
  }

  package let name: String
  /// In the order of the file.
  package let attributes: [Attribute]
  package var children: [XMLElement] = []
  /// The text directly inside, entities resolved; empty where the dialect keeps none.
  package var text = ""
  /// The offset of the `>` or `/>` that ends the start tag. Everything else about the tag's place
  /// is found from it when a diagnostic asks (see `XMLTag`), so that sound files pay nothing.
  package let tagEnd: Int

  package subscript(_ name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }

  package func children(named name: String) -> [XMLElement] {
    children.filter { $0.name == name }
  }
}

/// A part of a start tag, or what is behind it, for a diagnostic to point at.
package struct XMLSpot: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case elementName
    case attributeName(String)
    case attributeValue(String)
    /// The text behind the tag, up to the next one.
    case text
  }

  package var tagEnd: Int
  package var part: Part
}

extension XMLElement {
  package var spot: XMLSpot { XMLSpot(tagEnd: tagEnd, part: .elementName) }

  package var textSpot: XMLSpot { XMLSpot(tagEnd: tagEnd, part: .text) }

  package func spot(ofName attribute: String) -> XMLSpot {
    XMLSpot(tagEnd: tagEnd, part: .attributeName(attribute))
  }

  /// The place of an attribute's value, or of the element where it has no such attribute.
  package func spot(of attribute: String) -> XMLSpot {
    guard self[attribute] != nil else { return spot }
    return XMLSpot(tagEnd: tagEnd, part: .attributeValue(attribute))
  }
}
