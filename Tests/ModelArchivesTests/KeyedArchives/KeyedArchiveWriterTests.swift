import Foundation
@testable import ModelArchives
import Testing

struct KeyedArchiveWriterTests {
  private func archive() -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let person = ClassChain("Person", "Being")
    let (ada, bob) = (writer.reserve(), writer.reserve())
    // Each knows the other.
    writer.fill(
      ada, person,
      [
        ("name", .object(writer.string("Ada"))), ("friend", .object(bob)), ("age", .integer(36)),
        ("tags", .object(writer.collection([writer.string("Ada"), writer.string("é")]))),
      ])
    writer.fill(
      bob, person,
      [
        ("name", .object(writer.string("$null"))), ("friend", .object(ada)), ("age", .integer(-1)),
        ("nothing", .object(.null)), ("height", .real(1.5)), ("isTall", .boolean(true)),
      ])
    return writer.bytes(root: ada)
  }

  @Test func objectsReferToEachOther() throws {
    let ada = try KeyedArchive(archive()).root
    #expect(try ada.className == "Person")
    #expect(try ada.text("name") == "Ada")
    #expect(try ada.integer("age") == 36)
    let bob = try #require(try ada.object("friend"))
    #expect(try bob.integer("age") == -1)
    #expect(try bob.object("friend")?.index == ada.index)
    #expect(try bob.text("nothing") == nil)
    #expect(try bob.flag("isTall"))
    // The text "$null" is different from nil.
    #expect(try bob.text("name") == "$null")
  }

  @Test func equalTextsAndClassesAreWrittenOnce() throws {
    let list = try #require(BinaryPropertyList(archive()))
    let strings = (0..<200).filter { list[$0] == .string("Ada") || list[$0] == .string("Being") }
    #expect(strings.count == 2)
  }

  /// Swift takes them for equal.
  @Test func differentSpellingsAndZerosAreWrittenEach() throws {
    var writer = KeyedArchiveWriter()
    let root = writer.reserve()
    writer.fill(
      root, ClassChain("Names"),
      [
        ("nfc", .object(writer.string("\u{e9}"))), ("nfd", .object(writer.string("e\u{301}"))),
        ("zero", .real(0)), ("negative", .real(-0.0)),
      ])
    let names = try KeyedArchive(writer.bytes(root: root)).root
    #expect(try names.text("nfc")?.utf8.count == 2)
    #expect(try names.text("nfd")?.utf8.count == 3)
    func sign(_ name: String) throws -> FloatingPointSign? {
      if case .real(let number) = try names.value(name) { number.sign } else { nil }
    }
    #expect(try sign("zero") == .plus)
    #expect(try sign("negative") == .minus)
  }

  @Test func theSameCallsGiveTheSameBytes() {
    #expect(archive() == archive())
  }

  @Test func foundationReadsWhatIsWritten() throws {
    var list = BinaryPropertyListWriter()
    let long = String(repeating: "x", count: 300)
    let numbers: [Int64] = [0, 255, 256, 65_536, 1 << 40, -1, .min, .max]
    let members = list.array(numbers.map { list.plain(.integer($0)) })
    let top = list.dictionary([
      ("numbers", members), ("text", list.text("naïve 🎉")), ("long", list.text(long)),
      ("data", list.plain(.data([1, 2, 3]))), ("date", list.plain(.date(0.5))),
      ("flag", list.plain(.boolean(true))), ("real", list.plain(.real(-0.25))),
    ])
    let bytes = Data(list.bytes(top: top))
    let read = try PropertyListSerialization.propertyList(from: bytes, format: nil)
    let values = try #require(read as? [String: Any])
    #expect(values["numbers"] as? [Int64] == numbers)
    #expect(values["text"] as? String == "naïve 🎉")
    #expect(values["long"] as? String == long)
    #expect(values["data"] as? Data == Data([1, 2, 3]))
    #expect(values["date"] as? Date == Date(timeIntervalSinceReferenceDate: 0.5))
    #expect(values["flag"] as? Bool == true)
    #expect(values["real"] as? Double == -0.25)
  }

  /// More than 65,536 objects: references take four bytes.
  @Test func manyObjectsAreFound() throws {
    var writer = KeyedArchiveWriter()
    let members = (0..<70_000).map { writer.string("text \($0)") }
    let list = writer.collection(members)
    let archive = try KeyedArchive(writer.bytes(root: list))
    #expect(try archive.root.members.count == 70_000)
  }

  @Test func decimalsHaveUnitsOfSixteenBits() throws {
    var writer = KeyedArchiveWriter()
    let number = writer.decimal(mantissa: 0x1_0002, exponent: -2, isNegative: true)
    let decimal = try KeyedArchive(writer.bytes(root: number)).root
    #expect(try decimal.className == "NSDecimalNumber")
    #expect(try decimal.integer("NS.length") == 2)
    #expect(try decimal.integer("NS.exponent") == -2)
    guard case .data(let mantissa) = try decimal.value("NS.mantissa") else {
      Issue.record("no mantissa")
      return
    }
    #expect(mantissa.prefix(4) == [2, 0, 1, 0] && mantissa.count == 16)
  }
}
