import StoreDiagnostics

/// An XML element to write, with its attributes, children and comments.
struct Markup {
  typealias Attribute = (name: String, value: String)

  let name: String
  /// The attributes in the order in which they are written.
  private(set) var attributes: [Attribute] = []
  var children: [Markup] = []
  /// The comment before the start tag.
  var comment: String?
  /// The comment after the start tag, before the children.
  var note: String?
  /// Whether the element is written with an end tag even if it is empty.
  var isAlwaysClosed = false

  init(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], children: [Markup] = []
  ) {
    self.name = name
    self.attributes = attributes.map { ($0.key, $0.value) }
    self.children = children
  }

  /// Adds an attribute unless `value` is nil.
  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    attributes.append((name, value))
  }

  /// Adds an attribute with the value `YES` if `flag` is true. Xcode treats a missing attribute as NO.
  mutating func add(_ name: String, ifSo flag: Bool) {
    if flag { add(name, "YES") }
  }

  /// The value of the attribute `name`, which is the name of the part in the model.
  var partName: String? { attributes.first { $0.name == "name" }?.value }
}

/// Writes elements in Xcode's form: one per line, four spaces for each level, and no line break at the end.
struct MarkupWriter {
  private(set) var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
  /// The names of the enclosing parts and of the current part, outermost first, without the root and without elements
  /// that have no name.
  private var path: [String] = []
  private var depth = 0

  mutating func write(_ element: Markup) throws(ModelXMLError) {
    write(comment: element.comment)
    startLine()
    text += "<\(element.name)"
    if depth > 0, let name = element.partName { path.append(name) }
    for attribute in element.attributes { try write(attribute, of: element) }
    if element.children.isEmpty, element.note == nil, !element.isAlwaysClosed {
      text += "/>"
    } else {
      text += ">"
      depth += 1
      write(comment: element.note)
      for child in element.children { try write(child) }
      depth -= 1
      startLine()
      text += "</\(element.name)>"
    }
    if depth > 0, element.partName != nil { path.removeLast() }
  }

  private mutating func startLine() {
    text += "\n"
    for _ in 0..<depth { text += "    " }
  }

  private mutating func write(_ attribute: Markup.Attribute, of element: Markup)
    throws(ModelXMLError)
  {
    if let scalar = attribute.value.unicodeScalars.first(where: { !Self.isCharacter($0) }) {
      throw .character(scalar, attribute: attribute.name, element: element.name, owner: path)
    }
    text += " \(attribute.name)=\"\(XMLText.escaped(attribute.value))\""
  }

  /// Returns whether XML 1.0 allows a character (https://www.w3.org/TR/xml/#charsets).
  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// Writes a comment for each line of the text.
  private mutating func write(comment: String?) {
    for line in (comment ?? "").split(whereSeparator: \.isNewline) {
      startLine()
      text += "<!-- \(Self.commentText(line)) -->"
    }
  }

  /// Returns the text of a comment. A space separates two successive hyphens, which a comment can't contain. Control
  /// characters are escaped, and other characters that XML doesn't allow are replaced.
  private static func commentText(_ line: Substring) -> String {
    var result = String.UnicodeScalarView()
    for scalar in ControlCharacters.escaped(in: String(line)).unicodeScalars {
      if scalar == "-", result.last == "-" { result.append(" ") }
      result.append(isCharacter(scalar) ? scalar : "\u{FFFD}")
    }
    return String(result)
  }
}
