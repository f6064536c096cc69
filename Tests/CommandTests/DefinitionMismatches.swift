import SeededRandom

/// A definition with one error.
struct DefinitionMismatches {
  private struct Element {
    var name: String
    var attributes: [(name: String, value: String)] = []
    var children: [Element] = []
    var text = ""

    var xml: String {
      let attributes = attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
      let inside = children.map { "\n\($0.xml)" }.joined() + text
      return "<\(name)\(attributes)>\(inside)</\(name)>"
    }
  }

  /// The description for failure messages.
  private(set) var kind = ""
  private(set) var xml = ""
  private var random: SeededGenerator
  private var root = Self.sound

  /// The models of the definition: the entities of the versions `A`, `B` and `C`.
  static let versions: [(name: String, entities: String)] = [
    ("A", entities(person: #"<attribute name="age" optional="YES" attributeType="Integer 32"/>"#)),
    ("B", newer), ("C", newer.replacing("Remark", with: "Remark2")),
  ]

  static let soundXML = sound.xml

  private static let newer = entities(
    person: """
      <attribute name="age" optional="YES" attributeType="Integer 64"/>
      <attribute name="nick" optional="YES" attributeType="String"/>
      """, item: #"<attribute name="label" optional="YES" attributeType="String"/>"#, note: "Remark"
  )

  private static func entities(person: String, item: String = "", note: String = "Note") -> String {
    """
    <entity name="Person"><attribute name="name" attributeType="String"/>\(person)
    <relationship name="boss" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Person" inverseName="reports" inverseEntity="Person"/>
    <relationship name="reports" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Person" inverseName="boss" inverseEntity="Person"/>
    <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="owner" inverseEntity="Item"/></entity>
    <entity name="Item"><attribute name="title" attributeType="String"/>\(item)
    <attribute name="price" optional="YES" attributeType="Double"/>
    <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Person" inverseName="items" inverseEntity="Person"/></entity>
    <entity name="\(note)"><attribute name="text" attributeType="String"/></entity>
    """
  }

  private static let sound = Element(
    name: "migration", attributes: [("from", "A"), ("to", "B")],
    children: [
      Element(
        name: "entity", attributes: [("name", "Person"), ("where", "age &lt; 99 OR age == nil")],
        children: [
          Element(
            name: "attribute",
            attributes: [("name", "nick"), ("value", "name"), ("default", "'x'")])
        ]),
      Element(
        name: "entity", attributes: [("name", "Item")],
        children: [
          Element(name: "attribute", attributes: [("name", "label"), ("value", "title")]),
          Element(
            name: "relationship", attributes: [("name", "owner"), ("path", "owner.boss")]),
        ]),
      Element(
        name: "entity", attributes: [("name", "Remark"), ("source", "Note")],
        children: [
          Element(name: "attribute", attributes: [("name", "text"), ("value", "text")])
        ]),
      Element(name: "drop", attributes: [("entity", "Item"), ("where", "price == nil")]),
      Element(
        name: "sql", attributes: [("when", "before")],
        text: "UPDATE ZITEM SET ZTITLE = 'x' WHERE ZTITLE = ''"),
      Element(
        name: "sql", attributes: [("when", "after")],
        text: "UPDATE ZITEM SET ZLABEL = ZTITLE WHERE ZLABEL = ''"),
    ])

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    repeat { kind = random.pick(Self.kinds) } while !makeMistake()
    xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root.xml)\n"
    if kind == "malformed" { xml.removeLast(random.below(9) + 2) }
  }

  private static let kinds = [
    "element", "attribute", "value", "removal", "duplicate", "text", "sql", "malformed",
  ]

  /// Whether the definition has a position for an error of this kind.
  private mutating func makeMistake() -> Bool {
    let places = places(below: root)
    let place = random.pick(places)
    var element = self[place]
    switch kind {
    case "element": element.name = misspelt(element.name)
    case "attribute":
      guard !element.attributes.isEmpty else { return false }
      let index = random.below(element.attributes.count)
      element.attributes[index].name = misspelt(element.attributes[index].name)
    case "value":
      guard !element.attributes.isEmpty else { return false }
      let index = random.below(element.attributes.count)
      element.attributes[index].value = wrong(
        element.attributes[index].value, of: element.attributes[index].name)
    case "removal":
      let required = ["name", "from", "to", "entity", "when", "value", "path"]
      let indices = element.attributes.indices.filter {
        required.contains(element.attributes[$0].name)
          && !(element.attributes[$0].name == "value" && element.attributes.count > 2)
      }
      guard !indices.isEmpty else { return false }
      element.attributes.remove(at: random.pick(indices))
    case "duplicate":
      guard element.name == "entity" else { return false }
      element.children.append(random.pick(element.children))
    case "text":
      guard element.name != "sql" else { return false }
      element.text = "text"
    case "sql":
      guard element.name == "sql" else { return false }
      element.text = random.pick([
        "", element.text.replacing("UPDATE", with: "UPDAT"),
        element.text.replacing("ZITEM", with: "ZITEMS"),
        element.text.replacing("ZTITLE", with: "ZTITEL"),
      ])
    default: break
    }
    self[place] = element
    return true
  }

  private func places(below element: Element) -> [[Int]] {
    [[]]
      + element.children.indices.flatMap { index in
        places(below: element.children[index]).map { [index] + $0 }
      }
  }

  private subscript(_ place: [Int]) -> Element {
    get { place.reduce(root) { $0.children[$1] } }
    set { Self.replace(&root, at: place[...], by: newValue) }
  }

  private static func replace(
    _ element: inout Element, at place: ArraySlice<Int>, by new: Element
  ) {
    guard let first = place.first else {
      element = new
      return
    }
    replace(&element.children[first], at: place.dropFirst(), by: new)
  }

  private mutating func misspelt(_ word: String) -> String {
    var letters = Array(word)
    switch random.below(3) {
    case 0: letters.insert(random.pick(letters), at: random.below(letters.count))
    case 1 where letters.count > 2: letters.remove(at: random.below(letters.count))
    default: letters.append("q")
    }
    let text = String(letters)
    return text == word || text == "a" ? word + "q" : text
  }

  private mutating func wrong(_ value: String, of attribute: String) -> String {
    switch attribute {
    case "where": random.pick(["agee == 1", "age ==", "age == 'x'", "nosuch(age) == 1", "$q == 1"])
    case "value", "path": random.pick([value + "q", value + " +", "owners", "1 + + 1", "$q", ""])
    case "default": random.pick(["'x", "name", "nil", "{1, 2}"])
    default: misspelt(value)
    }
  }
}
