/// An element of an XML file.
package struct XMLElement: Sendable {
  package struct Attribute: Sendable {
    package let name: String
    /// The value, in which XML entities such as `&lt;` are resolved.
    package let value: String
  }

  package let name: String
  /// The attributes in the order of the file.
  package let attributes: [Attribute]
  package var children: [XMLElement] = []
  /// The text directly inside of the element, with XML entities resolved. Empty if the dialect doesn't keep texts.
  package var text = ""
  /// The offset of the `>` or `/>` at the end of the start tag. `XMLTag` derives the other locations in the tag from
  /// it, but only for diagnostics, which saves time for valid files.
  package let tagEnd: Int

  package subscript(_ name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }

  package func children(named name: String) -> [XMLElement] {
    children.filter { $0.name == name }
  }
}

/// A part of a start tag, or the text after it, as the location of a diagnostic.
package struct XMLSpot: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case elementName
    case attributeName(String)
    case attributeValue(String)
    /// The text between the start tag and the next tag.
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

  /// Returns the location of an attribute's value, or of the element if the attribute is missing.
  package func spot(of attribute: String) -> XMLSpot {
    guard self[attribute] != nil else { return spot }
    return XMLSpot(tagEnd: tagEnd, part: .attributeValue(attribute))
  }
}
