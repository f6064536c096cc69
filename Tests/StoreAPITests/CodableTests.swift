import Foundation
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Encoding and decoding of generated types, rows and object IDs.
struct CodableTests {
  private let shelf = TypedObjectID<Shelf>(primaryKey: 3)

  private func decoded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func valuesOfAllTypesAreKept() throws {
    let link = try #require(URL(string: "https://example.org/a?b=c"))
    let full = Book(
      added: Date(timeIntervalSinceReferenceDate: 700_000_000.25), cover: Data([0, 1, 255]),
      link: link, price: try #require(Decimal(string: "12345678901234567.89")),
      printed: Book.Printed(city: "Kyoto", year: 1999), priority: .unknown(7),
      publisher: Book.Publisher(city: "Oslo", year: 2001), ratio: .pi, state: .onShelf,
      tags: Data(), title: "a \"title\" 🫖", weight: 0.1, newestOf: shelf, shelf: shelf)
    #expect(try decoded(full) == full)
    let empty = Book(priority: nil, weight: nil, shelf: nil)
    #expect(try decoded(empty) == empty)
  }

  @Test func rowHasAnIDAndAValue() throws {
    let row = Stored(id: shelf, value: Shelf(name: "Green"))
    #expect(
      try json(row) == #"{"id":"x-coredata:///Shelf/p3","value":{"name":"Green"}}"#)
    #expect(try decoded(row) == row)
    #expect(try decoded([row]) == [row])
  }

  @Test func enumerationIsEncodedAsItsRawValue() throws {
    #expect(try json([Book.Urgency.high]) == "[2]")
    #expect(try json([OpenEnum.known(Book.Urgency.high), .unknown(7)]) == "[2,7]")
    let seven = Data("[7]".utf8)
    #expect(try JSONDecoder().decode([OpenEnum<Book.Urgency>].self, from: seven) == [.unknown(7)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Book.Urgency].self, from: seven)
    }
  }

  @Test(arguments: ["Shelf/p3", "x-coredata:///Shelf/p3"])
  func objectIDIsDecodedFromBothForms(_ text: String) throws {
    let data = Data("[\"\(text)\"]".utf8)
    #expect(try JSONDecoder().decode([Shelf.ID].self, from: data) == [shelf])
    #expect(try JSONDecoder().decode([ObjectID].self, from: data) == [shelf.objectID])
  }

  @Test(arguments: [
    ("Shelf", "'Shelf' isn't an object ID, such as 'Tea/p7'"),
    ("Book/p3", "'x-coredata:///Book/p3' isn't the ID of a row of 'Shelf'"),
  ])
  func wrongObjectIDIsExplained(_ text: String, _ message: String) throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Shelf.ID].self, from: Data("[\"\(text)\"]".utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(context.debugDescription == message)
    #expect(context.codingPath.map(\.intValue) == [0])
  }
}
