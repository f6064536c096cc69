import RecordFormats
import Testing

@Suite struct JSONEncodingTests {
  private func text(_ value: some Encodable) -> String { "\(JSONValue(encoding: value))" }

  private struct Pair: Encodable {
    let second, first: Int
  }

  @Test func keepsDeclaredOrderOfKeys() {
    struct Row: Encodable {
      let zebra: Int
      let apple: String
      let mango: Pair
      let banana: [Pair]
    }
    let pair = Pair(second: 2, first: 1)
    #expect(
      text(Row(zebra: 1, apple: "a", mango: pair, banana: [pair, pair])) == """
        {"zebra":1,"apple":"a","mango":{"second":2,"first":1},\
        "banana":[{"second":2,"first":1},{"second":2,"first":1}]}
        """)
  }

  @Test func usesNamesOfCodingKeys() {
    struct Row: Encodable {
      let schema = "a"
      let name = "b"

      enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case name = "storetool/v1"
      }
    }
    #expect(text(Row()) == #"{"$schema":"a","storetool/v1":"b"}"#)
  }

  @Test func writesNilOfEachTypeAsNull() {
    struct Row: Encodable {
      var bool: Bool?
      var string: String?
      var double: Double?
      var float: Float?
      var int: Int?
      var int8: Int8?
      var int16: Int16?
      var int32: Int32?
      var int64: Int64?
      var uint: UInt?
      var uint8: UInt8?
      var uint16: UInt16?
      var uint32: UInt32?
      var uint64: UInt64?
      var list: [Int]?
      var pair: Pair?
      var value: JSONValue?
    }
    let row = JSONValue(encoding: Row())
    guard case .object(let members) = row.content else {
      Issue.record("not an object: \(row)")
      return
    }
    #expect(members.count == 17)
    #expect(members.allSatisfy { $0.value == .null })
  }

  @Test func writesOptionalsThatHaveValues() {
    struct Row: Encodable {
      let flag: Bool?
      let numbers: [Int?]
      let pair: Pair?
    }
    #expect(
      text(Row(flag: false, numbers: [1, nil, 3], pair: Pair(second: 2, first: 1)))
        == #"{"flag":false,"numbers":[1,null,3],"pair":{"second":2,"first":1}}"#)
  }

  @Test func leavesOutOmittedMembersThatAreNil() {
    struct Row: Encodable {
      @OmittedIfNil var text: String?
      @OmittedIfNil var list: [Pair]?
      @OmittedIfNil var nested: String??
      let last = 1
    }
    #expect(text(Row(text: nil, list: nil, nested: nil)) == #"{"last":1}"#)
    #expect(
      text(Row(text: "a", list: [], nested: .some(nil)))
        == #"{"text":"a","list":[],"nested":null,"last":1}"#)
  }

  @Test func putsFlattenedMembersInPlaceOfTheirValue() {
    struct Row: Encodable {
      let before = 0
      @Flattened var pair: Pair
      @Flattened var other: Other?
      let after = 3
    }
    struct Other: Encodable {
      @OmittedIfNil var left: String?
      let right: String?
    }
    let pair = Pair(second: 2, first: 1)
    #expect(
      text(Row(pair: pair, other: nil)) == #"{"before":0,"second":2,"first":1,"after":3}"#)
    #expect(
      text(Row(pair: pair, other: Other(left: nil, right: nil)))
        == #"{"before":0,"second":2,"first":1,"right":null,"after":3}"#)
  }

  @Test func writesEmptyObjectsAndArrays() {
    struct Empty: Encodable {}
    struct Row: Encodable {
      let empty = Empty()
      let list: [Int] = []
      let names: [String: Int] = [:]
    }
    #expect(text(Row()) == #"{"empty":{},"list":[],"names":{}}"#)
  }

  @Test func sortsDictionariesByKey() {
    let counts = Dictionary(uniqueKeysWithValues: (0..<50).map { ("key\($0)", $0) })
    let expected = counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    #expect(text(counts) == "{\(expected.joined(separator: ","))}")
    #expect(text(["b": ["d": 1, "c": 2], "a": [:]]) == #"{"a":{},"b":{"c":2,"d":1}}"#)
  }

  @Test func escapesTextAndKeys() {
    #expect(
      text(["a\"\\/\n": "\u{1}\u{8}\t\u{1F}\u{7F}é\u{2028}🫖"])
        == #"{"a\"\\/\n":"\u0001\b\t\u001f\#u{7F}é\#u{2028}🫖"}"#)
  }

  @Test func writesNumbersWithAllTheirDigits() {
    #expect(text([Int64.min, .max]) == "[-9223372036854775808,9223372036854775807]")
    #expect(text([UInt64.max]) == "[18446744073709551615]")
    #expect(text([0.1, -0.0, 1e300, 5]) == "[0.1,-0.0,1e+300,5.0]")
    #expect(text([Float(0.1)]) == "[0.1]")
  }

  @Test func writesNumbersThatAreNotFiniteAsText() {
    #expect(text([Double.infinity, -.infinity, .nan]) == #"["inf","-inf","nan"]"#)
    #expect(text([Float.infinity]) == #"["inf"]"#)
  }

  @Test func keepsDigitsOfJSONValues() {
    struct Row: Encodable {
      let number = JSONValue(.number("1.50"))
      let list = [JSONValue(.number("1e2")), .null]
    }
    #expect(text(Row()) == #"{"number":1.50,"list":[1e2,null]}"#)
    #expect(text(JSONValue(.number("0.10"))) == "0.10")
  }

  @Test func writesEnumsAsTheirRawValuesAndTheirCases() {
    enum Color: String, Encodable { case red = "Red" }
    enum Shape: Encodable {
      case point
      case circle(radius: Double, name: String?)
    }
    #expect(text([Color.red]) == #"["Red"]"#)
    #expect(
      text([Shape.point, .circle(radius: 2, name: nil)])
        == #"[{"point":{}},{"circle":{"radius":2.0,"name":null}}]"#)
  }

  @Test func writesContainersThatAreFilledLater() {
    struct Row: Encodable {
      enum Keys: CodingKey { case list, object, base }

      func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: Keys.self)
        var list = row.nestedUnkeyedContainer(forKey: .list)
        var object = row.nestedContainer(keyedBy: Keys.self, forKey: .object)
        try Pair(second: 2, first: 1).encode(to: row.superEncoder(forKey: .base))
        try Pair(second: 4, first: 3).encode(to: row.superEncoder())
        try list.encode(1)
        try object.encode("a", forKey: .base)
        var inner = list.nestedUnkeyedContainer()
        try inner.encodeNil()
        var last = list.nestedContainer(keyedBy: Keys.self)
        try last.encode(true, forKey: .list)
        try 5.encode(to: list.superEncoder())
        #expect(list.count == 4)
      }
    }
    #expect(
      text(Row()) == """
        {"list":[1,[null],{"list":true},5],"object":{"base":"a"},\
        "base":{"second":2,"first":1},"super":{"second":4,"first":3}}
        """)
  }

  @Test func writesClassesWithTheirSuperclass() {
    class Base: Encodable {
      let name = "a"
    }
    final class Derived: Base {
      let count = 1

      override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(count, forKey: .count)
      }

      enum Keys: CodingKey { case count }
    }
    #expect(text(Derived()) == #"{"name":"a","count":1}"#)
  }

  @Test func endsLinesWithALineFeed() {
    var out = ByteBuffer()
    out.append(line: Pair(second: 2, first: 1))
    out.append(line: ["a"])
    #expect(out.text == "{\"second\":2,\"first\":1}\n[\"a\"]\n")
  }
}
