/// An element that is to be written, with what is in it.
struct Markup: Hashable, Sendable {
  struct Attribute: Hashable, Sendable {
    var name: String
    var value: String
  }

  let name: String
  /// In the order in which they are written.
  private(set) var attributes: [Attribute] = []
  var children: [Markup] = []
  /// Stands above the element.
  var comment: String?
  /// Stands before the children.
  var note: String?
  /// Whether it ends with a tag of its own also where nothing is in it.
  var isAlwaysClosed = false

  init(_ name: String) {
    self.name = name
  }

  /// Adds an attribute, or nothing for nil.
  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    attributes.append(Attribute(name: name, value: value))
  }

  /// Adds `YES`, or nothing: what Xcode takes for no.
  mutating func add(_ name: String, ifSo flag: Bool) {
    if flag { add(name, "YES") }
  }

  /// What the element is called by who knows the model.
  var ownName: String? { attributes.first { $0.name == "name" }?.value }
}
