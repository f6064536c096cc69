import StoreDiagnostics

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
