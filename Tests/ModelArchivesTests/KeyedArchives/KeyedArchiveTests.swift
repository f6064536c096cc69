import TestSupport
import Testing

@testable import ModelArchives

struct KeyedArchiveTests {
  @Test func readsValuesByName() throws {
    var builder = ArchiveBuilder()
    let name = builder.object("NSMutableString", [("NS.string", .text("Café"))])
    let root = builder.object(
      "Thing",
      [
        ("plain", builder.text("a")), ("name", name), ("number", .integer(-7)),
        ("flag", .flag(true)),
        ("none", ArchiveBuilder.null),
        ("when", builder.object("NSDate", [("NS.time", .real(1.5))])),
        ("bytes", builder.object("NSMutableData", [("NS.data", .data([1, 2]))])),
      ])
    let object = try KeyedArchive(builder.bytes(root: root)).root
    #expect(try object.className == "Thing")
    #expect(try object.text("plain") == "a")
    #expect(try object.text("name") == "Café")
    #expect(try object.integer("number") == -7)
    #expect(try object.flag("flag"))
    #expect(try !object.flag("absent"))
    #expect(try object.text("none") == nil)
    guard case .date(1.5) = try object.value("when"),
      case .data([1, 2]) = try object.value("bytes")
    else {
      Issue.record("no date, or no data")
      return
    }
  }

  @Test func readsCollections() throws {
    var builder = ArchiveBuilder()
    let keys = builder.list([builder.text("a"), builder.text("b")])
    let mapping = builder.object("NSKnownKeysMappingStrategy1", [("keys", keys)])
    let values = builder.list([builder.text("1"), ArchiveBuilder.null])
    let root = builder.object(
      "Thing",
      [
        ("set", builder.list([builder.text("x"), builder.text("y")], "NSMutableSet")),
        ("map", builder.map([("k", builder.text("v"))])),
        (
          "known",
          builder.object(
            "NSKnownKeysDictionary1", [("searchMapping", mapping), ("values", values)])
        ),
      ])
    let object = try KeyedArchive(builder.bytes(root: root)).root
    #expect(try object.texts("set") == ["x", "y"])
    #expect(try object.texts("absent") == [])
    #expect(try object.entries("map").map(\.key) == ["k"])
    #expect(try object.entries("known").map(\.key) == ["a", "b"])
  }

  /// Each error has the location in the archive, the actual value and the expected value.
  @Test func saysWhatIsWrongAndWhere() throws {
    var builder = ArchiveBuilder()
    let number = builder.add(.integer(3))
    let list = builder.list([builder.text("x"), number])
    let root = builder.object(
      "Thing",
      [
        ("number", number), ("dangling", .reference(99)), ("list", list),
        ("inline", .array([])), ("odd", builder.add(.array([]))),
      ])
    let object = try KeyedArchive(builder.bytes(root: root)).root
    let place = object.place
    #expect(
      fault { try object.text("number") }
        == "'\(place).number' is a whole number, expected a string")
    #expect(
      fault { try object.requiredText("absent") }
        == "'\(place).absent' is missing, expected a string"
    )
    #expect(
      fault { try object.text("dangling") }
        == "'\(place).dangling' refers to '$objects[99]', but there are only \(builder.objects.count) objects"
    )
    #expect(
      fault { try object.texts("list") }
        == "'\(place).list[1]' is a whole number, expected a string")
    #expect(
      fault { try object.entries("list") }
        == "'\(place).list' is an object of class 'NSArray', expected a dictionary")
    #expect(
      fault { try object.text("inline") } == "'\(place).inline' is damaged, expected a value")
    #expect(fault { try object.text("odd") } == "'\(place).odd' is damaged, expected a value")
  }

  @Test func refusesWhatIsNoArchive() throws {
    #expect(fault { try KeyedArchive([]) } == "it isn't a complete keyed archive")
    var builder = ArchiveBuilder()
    let root = builder.object("Thing", [("a", builder.text("b"))])
    let bytes = builder.bytes(root: root)
    for end in bytes.indices where end < bytes.count - 1 {
      #expect(fault { try KeyedArchive(Array(bytes[..<end])) } != nil)
    }
    #expect(
      fault { try KeyedArchive(builder.bytes(root: .reference(50))) }
        == "'$top.root' refers to '$objects[50]', but there are only \(builder.objects.count) objects"
    )
    let large = [UInt8](repeating: 0, count: KeyedArchive.sizeLimit + 1)
    #expect(fault { try KeyedArchive(large) } == "it is larger than 8 MB")
  }

  /// The name of a class may not be an object of that class.
  @Test func aClassThatIsItsOwnNameHasNone() throws {
    var builder = ArchiveBuilder()
    let type = builder.reserve()
    _ = builder.add(
      .dictionary([("$class", .reference(type)), ("$classname", .reference(type))]))
    let root = builder.add(
      .dictionary([("$class", .reference(type + 1)), ("a", .reference(type + 1))]))
    let object = try KeyedArchive(builder.bytes(root: root)).root
    #expect(try object.className == nil)
    #expect(
      fault { try object.text("a") }
        == "'\(object.place).a' is an object without a class, expected a string")
  }

  @Test func refusesAnObjectWithTooManyValues() throws {
    var builder = ArchiveBuilder()
    let values = (0...KeyedArchive.valueLimit).map { ("\($0)", ArchiveBuilder.Part.flag(true)) }
    let root = builder.object("Thing", values)
    let object = try KeyedArchive(builder.bytes(root: root)).root
    #expect(
      fault { try object.flag("1") } == "'\(object.place)' has more than 1000 values")
  }

  /// A thousand looks at a list of a thousand are more than an archive of that size is worth.
  @Test func countsLooksAtWhatIsShared() throws {
    var builder = ArchiveBuilder()
    let list = builder.list([ArchiveBuilder.Part](repeating: .reference(0), count: 10_000))
    let lists = builder.list([ArchiveBuilder.Part](repeating: list, count: 10_000))
    let root = builder.object("Thing", [("lists", lists)])
    let object = try KeyedArchive(builder.bytes(root: root)).root
    let found = fault {
      for member in try object.objects("lists", expected: "a list") { _ = try member.members }
    }
    #expect(
      found == "its objects refer to each other too often")
  }

  private func fault<Result>(_ body: () throws -> Result) -> String? {
    do {
      _ = try body()
      return nil
    } catch let fault as KeyedArchiveError {
      return fault.reason
    } catch {
      return "\(error)"
    }
  }
}
