import Foundation
import RecordFormats
import Testing

@testable import storetool

@Suite("Facts that the data shows")
struct PlainValueTests {
  private func json(_ bytes: Data) -> String? { PlainValue.json(of: Array(bytes))?.description }

  private func archive(_ object: Any) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
  }

  @Test func archives() throws {
    #expect(json(try archive(["a", "b"])) == #"["a","b"]"#)
    #expect(json(try archive(NSString("text"))) == #""text""#)
    #expect(
      json(try archive(["tags": ["x", 1] as [Any]])) == #"{"tags":["x",1]}"#)
    #expect(
      json(try archive([Date(timeIntervalSinceReferenceDate: 0)])) == #"["2001-01-01T00:00:00Z"]"#)
  }

  @Test func propertyLists() throws {
    let list: [String: Any] = ["name": "Zoë", "sizes": [0.5, 2.5]]
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    let text = try #require(json(data))
    #expect(text.contains(#""name":"Zoë""#))
    #expect(text.contains(#""sizes":[0.5,2.5]"#))
  }

  @Test func objectsOfOtherClassesAreNot() throws {
    #expect(json(try archive(NSIndexPath(indexes: [1, 2], length: 2))) == nil)
    #expect(json(Data("bplist00 and nothing".utf8)) == nil)
    #expect(json(Data([1, 2, 3])) == nil)
    #expect(json(Data()) == nil)
  }

  @Test func whatHasNoEndIsNot() throws {
    var nested: [Any] = []
    for _ in 0..<40 { nested = [nested] }
    #expect(json(try archive(nested)) == nil)
    #expect(json(try archive(Array(repeating: 7, count: 30_000))) == nil)
  }
}
