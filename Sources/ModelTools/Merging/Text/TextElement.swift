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

extension TextElement {
  /// Whether two have the same text.
  func isWritten(as other: TextElement) -> Bool {
    name.isExactly(other.name) && attributes.count == other.attributes.count
      && children.count == other.children.count && lead.isExactly(other.lead)
      && tail.isExactly(other.tail) && isClosed == other.isClosed
      && closingLead.isExactly(other.closingLead)
      && zip(attributes, other.attributes).allSatisfy { one, other in
        one.text.isExactly(other.text) && one.lead.isExactly(other.lead)
      }
      && closing.isExactly(other.closing)
      && zip(children, other.children).allSatisfy { $0.isWritten(as: $1) }
  }

  /// Whether two say the same: white space, quotes, and the order of attributes and of named parts aside.
  func isSame(as other: TextElement) -> Bool {
    guard name.isExactly(other.name), attributes.count == other.attributes.count,
      children.count == other.children.count, comment.isExactly(other.comment)
    else { return false }
    guard attributes.allSatisfy({ $0.value.isExactly(other[$0.name]) }) else { return false }
    guard !children.isEmpty else { return true }
    let (keys, others) = (ownKeys, other.ownKeys)
    if isOrdered, keys != others { return false }
    let found = Dictionary(zip(others, other.children)) { first, _ in first }
    return zip(keys, children).allSatisfy { key, child in
      found[key].map(child.isSame) ?? false
    }
  }

  /// Whether all that the other says stands in this one too.
  func covers(_ other: TextElement) -> Bool {
    guard attributes.count == other.attributes.count,
      attributes.allSatisfy({ $0.value.isExactly(other[$0.name]) }),
      !isOrdered || isSame(as: other)
    else { return false }
    let found = Dictionary(zip(ownKeys, children)) { first, _ in first }
    return zip(other.ownKeys, other.children).allSatisfy { key, child in
      found[key]?.covers(child) ?? false
    }
  }

  /// Keys without regard to renames: enough within one element.
  private var ownKeys: [ElementKey] { ElementKey.keys(of: children, in: [], .none) }

  /// Whether the order of the parts means something.
  var isOrdered: Bool { name == "fetchIndex" || name == "compoundIndex" }

  private var comment: String {
    hasComment ? lead.filter { !$0.isWhitespace } : ""
  }
}
