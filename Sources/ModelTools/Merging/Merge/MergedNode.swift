/// A part of a merged file.
enum MergedNode {
  case element(MergedElement)
  /// An element that is taken unchanged from one side.
  case kept(TextElement)
  /// A conflict: the element of each side, or nil if the side doesn't have it, and the conflict's index in
  /// `TreeMerge.conflicts`.
  case conflict(ours: TextElement?, theirs: TextElement?, number: Int)

  /// Whether the part is an element without children.
  var hasNothingInside: Bool {
    switch self {
    case .element(let element): element.children.isEmpty
    case .kept(let element): element.children.isEmpty
    case .conflict: false
    }
  }
}

/// The merge of an element that both sides have.
struct MergedElement {
  var lead: String
  /// The start tag of each side without `>` or `/>`. The variants differ only if attributes are in conflict.
  var tag: (ours: String, theirs: String)
  /// The indices in `TreeMerge.conflicts` of the conflicts in the tag.
  var conflicts: [Int]
  var isClosed: Bool
  var children: [MergedNode]
  var closingLead: String
  var closing: String

  init(
    lead: String, tag: (ours: String, theirs: String), conflicts: [Int], children: [MergedNode],
    sides: (base: TextElement?, ours: TextElement, theirs: TextElement)
  ) {
    let (base, ours, theirs) = sides
    self.lead = lead
    self.tag = tag
    self.conflicts = conflicts
    self.children = children
    let open = [ours, theirs].filter { !$0.isClosed }
    if !children.isEmpty {
      isClosed = false
    } else if open.count == 2, !ours.children.isEmpty, !theirs.children.isEmpty {
      // Each side has removed the children that the other one has kept, so none remain.
      isClosed = ours.name != "model"
    } else {
      isClosed = mergedLayout(base?.isClosed, ours.isClosed, theirs.isClosed)
    }
    let leads = open.map(\.closingLead)
    closingLead =
      leads.count == 2
      ? mergedText(base?.isClosed == false ? base?.closingLead : nil, leads[0], leads[1])
      : leads.first ?? ""
    closing = open.first?.closing ?? "</\(ours.name)>"
  }
}
