import StoreDiagnostics

/// An element with its original text.
struct TextElement: Sendable {
  struct Attribute: Hashable, Sendable {
    /// The white space before the attribute.
    var lead: String
    let name: String
    /// The original text `name="value"`.
    var text: String
    /// The value, in which XML entities such as `&lt;` are resolved.
    var value: String

    static func == (left: Attribute, right: Attribute) -> Bool {
      left.lead.isExactly(right.lead) && left.name.isExactly(right.name)
        && left.text.isExactly(right.text) && left.value.isExactly(right.value)
    }
  }

  /// The text between the previous tag and this one: line break, indentation, comments.
  var lead: String
  let name: String
  var attributes: [Attribute]
  /// The white space before the end of the start tag.
  var tail: String
  /// Whether the element is `<a/>` rather than `<a></a>`.
  var isClosed: Bool
  var children: [TextElement] = []
  /// The text before the end tag.
  var closingLead = ""
  /// The end tag, such as `</a>`. Empty for `<a/>`.
  var closing = ""
  /// The range of the element's bytes in the file, without `lead`.
  var range = 0..<0

  subscript(_ name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }

  /// The text of the element, including `lead`.
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

  /// The element without its children.
  var emptied: TextElement {
    var copy = self
    copy.children = []
    return copy
  }

  /// Sets the value of an existing attribute, which keeps its position. The value is written in double quotes.
  mutating func set(_ name: String, to value: String) {
    guard let index = attributes.firstIndex(where: { $0.name == name }) else { return }
    attributes[index].value = value
    attributes[index].text = "\(name)=\"\(XMLText.escaped(value))\""
  }

  /// The start of the element, which diagnostics mark, such as `<attribute name="age"`.
  var head: String { "<" + name + (attributes.first.map { $0.lead + $0.text } ?? "") }

  /// Whether `lead` contains a comment or a processing instruction.
  var hasComment: Bool { lead.utf8.contains(UInt8(ascii: "<")) }
}

extension TextElement {
  /// Returns whether two elements have the same text.
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

  /// Returns whether two elements are equivalent, ignoring white space, quotes, and the order of attributes and of
  /// children other than the parts of an index.
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

  /// Returns whether this element has the same attributes as `other`, and all children of `other`.
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

  /// The keys of the children, with their names in this file.
  private var ownKeys: [ElementKey] { ElementKey.keys(of: children, in: [], .none) }

  /// Whether the order of the children is significant.
  var isOrdered: Bool { name == "fetchIndex" || name == "compoundIndex" }

  private var comment: String {
    hasComment ? lead.filter { !$0.isWhitespace } : ""
  }
}
