import Foundation
package import SeededRandom
package import StoreLayout
import StoreModel
import StorePredicate
package import SQLiteAccess

/// A random object graph of `GraphModel`. Both sides of every relationship agree.
package struct RandomGraph {
  package struct Object {
    package var entity: String
    package var key: String
    /// JSON text and stored value by name. `nil` is NULL.
    package var values: [String: (json: String, stored: SQLiteValue)?] = [:]
    /// Indexes of objects by relationship.
    package var toOne: [String: Int] = [:]
    package var toMany: [String: [Int]] = [:]
  }

  package var objects: [Object] = []
  package var generator: SeededGenerator

  /// Objects are sorted by the numbers of their entities, so that their order determines the keys in a store.
  package init(seed: UInt64, count: Int) {
    generator = SeededGenerator(seed: seed)
    for entity in ["Passport", "Tag", "Person", "Robot", "Thing", "Gadget"] {
      for number in 0..<count {
        var object = Object(entity: entity, key: "\(entity) \(number)")
        object.values["key"] = (Self.json(object.key), .text(object.key))
        objects.append(object)
      }
    }
    for index in objects.indices { fillValues(of: index) }
    connect()
  }

  /// The `Z_PK` of the rows, which count up in each table.
  package func primaryKeys(in layout: StoreLayout) -> [Int64] {
    var highest: [String: Int64] = [:]
    return objects.map { object in
      let root = layout.entity(named: object.entity)?.root ?? object.entity
      highest[root, default: 0] += 1
      return highest[root] ?? 0
    }
  }

  package func indexes(of entities: String...) -> [Int] {
    objects.indices.filter { entities.contains(objects[$0].entity) }
  }

  // MARK: Values

  private mutating func fillValues(of index: Int) {
    switch objects[index].entity {
    case "Person":
      objects[index].values["age"] = integer(Int64(Int16.min)...Int64(Int16.max))
      objects[index].values["note"] = text()
    case "Robot": objects[index].values["age"] = real()
    case "Thing", "Gadget":
      fillThing(index)
      if objects[index].entity == "Gadget" {
        objects[index].values["serial"] = integer(Int64.min...Int64.max)
      }
    default: break
    }
  }

  private mutating func fillThing(_ index: Int) {
    var values = objects[index].values
    values["text"] = text()
    values["count16"] = integer(Int64(Int16.min)...Int64(Int16.max))
    values["count32"] = integer(Int64(Int32.min)...Int64(Int32.max))
    values["count64"] = integer(Int64.min...Int64.max)
    values["ratio"] = real()
    let weight = Float.random(in: -1000...1000, using: &generator)
    values["weight"] = maybe { _ in ("\(weight)", .real(Double(weight))) }
    values["price"] = decimal()
    let flag = Bool.random(using: &generator)
    values["flag"] = maybe { _ in ("\(flag)", .integer(flag ? 1 : 0)) }
    values["made"] = date()
    values["data"] = bytes(prefix: [])
    values["photo"] = bytes(prefix: [1])
    values["blob"] = bytes(prefix: [])
    let uuid = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let hex = uuid.map { String(format: "%02X", $0) }.joined()
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { Array(hex)[$0].map(String.init) }
    values["ident"] = maybe { _ in
      ("\"\(parts.map { $0.joined() }.joined(separator: "-"))\"", .blob(uuid))
    }
    values["link"] = maybe { _ in
      (#""https://example.org/a?b=%20c#d""#, .text("https://example.org/a?b=%20c#d"))
    }
    values["size.width"] = real()
    values["size.unit"] = text()
    objects[index].values = values
  }

  package typealias Value = (json: String, stored: SQLiteValue)

  /// Returns NULL in a quarter of the cases.
  private mutating func maybe(_ value: (inout SeededGenerator) -> Value) -> Value? {
    let made = value(&generator)
    return Int.random(in: 0..<4, using: &generator) == 0 ? nil : made
  }

  private mutating func integer(_ range: ClosedRange<Int64>) -> Value? {
    maybe { generator in
      let edges: [Int64] = [range.lowerBound, range.upperBound, 0]
      let edge = edges.randomElement(using: &generator) ?? 0
      let any = Int64.random(in: range, using: &generator)
      let value = Bool.random(using: &generator) ? edge : any
      return ("\(value)", .integer(value))
    }
  }

  private mutating func real() -> Value? {
    maybe { generator in
      let values = [
        0, 0.1, -1e-300, 1.7976931348623157e308, .leastNonzeroMagnitude, 100,
        Double.random(in: -1e6...1e6, using: &generator),
      ]
      let value = values.randomElement(using: &generator) ?? 0
      return ("\(value)", .real(value))
    }
  }

  /// A whole decimal is stored as an integer, because the affinity of the column is NUMERIC.
  private mutating func decimal() -> Value? {
    maybe { generator in
      let cents = Int64.random(in: -1_000_000...1_000_000, using: &generator)
      return cents % 100 == 0
        ? ("\(cents / 100)", .integer(cents / 100))
        : ("\(Double(cents) / 100)", .real(Double(cents) / 100))
    }
  }

  private mutating func date() -> Value? {
    maybe { generator in
      let day = Double.random(in: -4e9...4e9, using: &generator)
      let seconds = [day.rounded(), (day * 8).rounded() / 8, day].randomElement(using: &generator)
      let value = seconds ?? 0
      return ("\"\(ISODate.text(value) ?? "")\"", .real(value))
    }
  }

  private mutating func bytes(prefix: [UInt8]) -> Value? {
    maybe { generator in
      let count = Int.random(in: 1..<40, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return ("\"\(Data(bytes).base64EncodedString())\"", .blob(prefix + bytes))
    }
  }

  private mutating func text() -> Value? {
    maybe { generator in
      let pieces = [
        "'", "\"", "\\", "\n", "\r\n", "\t", "\u{1}", "🧋", "👩‍👩‍👧", "é", "e\u{301}", "ß", ",", "%s",
        "a",
        " ", "NULL", "null", "\u{2028}", "; DROP TABLE ZTHING; --",
      ]
      let count = Int.random(in: 0..<6, using: &generator)
      let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      return (Self.json(text), .text(text))
    }
  }

  /// Writes all characters except letters and digits as `\u…`, which our own writer doesn't use.
  package static func json(_ text: String) -> String {
    "\""
      + text.utf16.map { unit in
        let isPlain = unit < 128 && (UnicodeScalar(unit)?.properties.isAlphabetic ?? false)
        return isPlain ? String(UnicodeScalar(UInt8(unit))) : String(format: "\\u%04x", unit)
      }.joined() + "\""
  }

  // MARK: Relationships

  private mutating func connect() {
    let persons = indexes(of: "Person")
    let things = indexes(of: "Thing", "Gadget")
    let tags = indexes(of: "Tag")
    for (passport, person) in zip(indexes(of: "Passport"), persons.shuffled(using: &generator)) {
      objects[passport].toOne["holder"] = person
      objects[person].toOne["passport"] = passport
    }
    let couple = persons.shuffled(using: &generator).prefix(persons.count / 2 * 2)
    for (one, other) in zip(couple.prefix(couple.count / 2), couple.suffix(couple.count / 2)) {
      objects[one].toOne["spouse"] = other
      objects[other].toOne["spouse"] = one
    }
    for robot in indexes(of: "Robot") {
      objects[robot].toOne["maker"] = pick(indexes(of: "Person", "Robot"))
    }
    for gadget in indexes(of: "Gadget") { objects[gadget].toOne["model"] = pick(things) }
    distribute(things, to: persons, "things", back: "owner")
    distribute(things, to: persons, "favourites", back: nil)
    distribute(things, to: persons, "keepsakes", back: nil)
    distribute(things, to: things, "children", back: "parent")
    mix(persons + indexes(of: "Robot"), "tags", tags, "beings")
    mix(things, "likes", things, "likedBy")
    mix(things, "labels", tags, "things")
    mix(things, "ranking", tags, "rankedBy")
    for (one, other) in zip(persons, persons.dropFirst()) {
      objects[one].toMany["friends", default: []].append(other)
      objects[other].toMany["friends", default: []].append(one)
    }
  }

  private mutating func pick(_ candidates: [Int]) -> Int? {
    Bool.random(using: &generator) ? candidates.randomElement(using: &generator) : nil
  }

  /// Assigns each member to one owner or to none.
  private mutating func distribute(
    _ members: [Int], to owners: [Int], _ name: String, back: String?
  ) {
    for owner in owners { objects[owner].toMany[name] = [] }
    for member in members.shuffled(using: &generator) {
      guard let owner = pick(owners) else { continue }
      objects[owner].toMany[name, default: []].append(member)
      if let back { objects[member].toOne[back] = owner }
    }
  }

  /// Creates random pairs. Each side has its own order.
  private mutating func mix(_ left: [Int], _ forth: String, _ right: [Int], _ back: String) {
    for index in left { objects[index].toMany[forth] = [] }
    for index in right { objects[index].toMany[back] = [] }
    for one in left {
      for other in right.shuffled(using: &generator)
      where Int.random(in: 0..<4, using: &generator) == 0 {
        objects[one].toMany[forth]?.append(other)
        objects[other].toMany[back]?.append(one)
      }
    }
    for index in right { objects[index].toMany[back]?.shuffle(using: &generator) }
  }
}
