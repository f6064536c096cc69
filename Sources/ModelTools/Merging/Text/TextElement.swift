import StoreDiagnostics

/// An element with its text as it stands in the file: rendered, it is what was read.
struct TextElement: Sendable {
  struct Attribute: Hashable, Sendable {
    /// The white space in front.
    var lead: String
    let name: String
    /// `name="value"`, as it is written.
    var text: String
    /// Entities are resolved.
    var value: String

    static func == (left: Attribute, right: Attribute) -> Bool {
      left.lead.isExactly(right.lead) && left.name.isExactly(right.name)
        && left.text.isExactly(right.text) && left.value.isExactly(right.value)
    }
  }

  /// What stands between the tag before and this one: line break, indentation, comments.
  var lead: String
  let name: String
  var attributes: [Attribute]
  /// White space before the end of the start tag.
  var tail: String
  /// `<a/>`, not `<a></a>`.
  var isClosed: Bool
  var children: [TextElement] = []
  /// What stands in front of the end tag.
  var closingLead = ""
  /// `</a>`; empty where the start tag is closed.
  var closing = ""
  /// The bytes of the element, without its lead.
  var range = 0..<0

  subscript(_ name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }
}

extension TextElement {
  /// With its lead.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  func write(to text: inout String) {
    text += lead
    text += "<"
    text += name
    for attribute in attributes {
      text += attribute.lead
      text += attribute.text
    }
    text += tail
    text += isClosed ? "/>" : ">"
    guard !isClosed else { return }
    for child in children { child.write(to: &text) }
    text += closingLead
    text += closing
  }

  /// An element of the same name with nothing inside.
  var emptied: TextElement {
    var copy = self
    copy.children = []
    return copy
  }

  /// Sets an attribute that is there; its place and quotes stay.
  mutating func set(_ name: String, to value: String) {
    guard let index = attributes.firstIndex(where: { $0.name == name }) else { return }
    attributes[index].value = value
    attributes[index].text = "\(name)=\"\(XMLText.escaped(value))\""
  }

  /// What begins the element, for a caret: `<attribute name="age"`.
  var head: String { "<" + name + (attributes.first.map { $0.lead + $0.text } ?? "") }

  /// Whether a comment stands above.
  var hasComment: Bool { lead.utf8.contains(UInt8(ascii: "<")) }
}
