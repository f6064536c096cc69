import StoreModel
import Testing

@testable import StoreMigration

@Suite struct RenameHistoryTests {
  private func text(_ name: String, id: String? = nil) -> AttributeDescription {
    AttributeDescription(name: name, type: .string, isOptional: true, renamingIdentifier: id)
  }

  /// Returns versions that each add an attribute, and an entity whose identifier is unique. The second version renames
  /// `title` to `name` and keeps the renaming identifier. The last one renames `name` to `label`.
  private func versions(_ count: Int) -> [DataModel] {
    (1...count).map { number in
      let renamed =
        switch number {
        case 1: text("title")
        case count: text("label", id: "name")
        default: text("name", id: "title")
        }
      return DataModel(
        name: "V\(number)",
        entities: [
          EntityDescription(
            name: "Item", attributes: [renamed] + (1...number).map { text("new\($0)") },
            renamingIdentifier: number > 1 ? "unused" : nil),
          EntityDescription(name: "Only\(number)", attributes: [text("a")]),
        ])
    }
  }

  private func history(of versions: [DataModel]) -> RenameHistory {
    RenameHistory(of: versions.map(\.name)) { name in versions.first { $0.name == name } }
  }

  @Test(arguments: [10, 20, 40]) func numberOfStopsDependsOnRenamesOnly(_ count: Int) throws {
    let versions = versions(count)
    let history = history(of: versions)
    let last = try #require(versions.last)
    func passage(from source: DataModel) -> RenameHistory.Passage {
      history.passage(
        of: VersionJump(from: source.name, to: last.name), from: source, to: last)
    }
    for version in versions.dropFirst().dropLast() {
      let stops = passage(from: version).stops
      #expect(stops.isEmpty, "\(version.name) itself declares the rename")
    }
    let first = try #require(versions.first)
    let found = passage(from: first)
    #expect(found.stops.map(\.name) == ["V\(count - 1)"])
    let names = ([found.source] + found.stops + [found.target]).map { model in
      model.entities.map { "\($0.name): \($0.attributes.map(\.name))" }
    }
    #expect(names == [[#"Item: ["title"]"#], [#"Item: ["name"]"#], [#"Item: ["label"]"#]])

    let pairing = ModelPairing(from: first, to: last) { found }
    #expect(pairing.pair(toTarget: "Item")?.attributes["label"] == "title")
    #expect(pairing.followedRenames.map(\.over) == [["V\(count - 1)"]])
  }

  @Test func versionsOutsideOfTheJumpComeLast() {
    let versions = [
      [text("a")], [text("b", id: "a")], [text("c", id: "b")], [text("d", id: "c")], [text("d")],
    ].enumerated().map { index, attributes in
      DataModel(
        name: "\(index)", entities: [EntityDescription(name: "Item", attributes: attributes)])
    }
    let history = history(of: versions)
    func names(_ from: String, _ to: String) -> [String] {
      let empty = DataModel(name: "", entities: [])
      return history.passage(of: VersionJump(from: from, to: to), from: empty, to: empty)
        .stops.map(\.name)
    }
    #expect(names("0", "2") == ["1", "3"])
    #expect(names("3", "1") == ["2"])
    #expect(names("2", "0") == ["1", "3"])
  }

  @Test func aStopIsNamedAfterItsLastVersionOnTheWay() {
    let versions = versions(5)
    let history = history(of: versions)
    func names(_ from: String, _ to: String) -> [String] {
      let empty = DataModel(name: "", entities: [])
      return history.passage(of: VersionJump(from: from, to: to), from: empty, to: empty)
        .stops.map(\.name)
    }
    #expect(names("V1", "V5") == ["V4"])
    #expect(names("V5", "V1") == ["V2"])
  }
}
