import Foundation
import TestSupport
import Testing

/// Checks that the cost of commands is proportional to the number of the model's entities.
///
/// The cost is counted as memory allocations and as SQLite's steps. Doubling the number of entities twice shows how it
/// grows: the second growth is twice the first one if the cost is proportional, and four times if it is quadratic. The
/// fixed cost of a command doesn't affect this ratio.
@Suite(.enabled(if: CostProbe.isAvailable, "LD_PRELOAD isn't available"))
struct EntityCountTests {
  private static let create = "storetool create --model Wide.xcdatamodeld --store Wide.sqlite"

  private static let commands = [
    "storetool insert E1 name1=New",
    "storetool info",
    "storetool verify",
    "storetool fetch E1 --limit 1",
    "storetool batch-update E1 name1=Other",
    "storetool batch-delete E1 --dry-run --all",
    "storetool compact",
    "storetool diff Wide.sqlite Empty.sqlite",
    "storetool model check Wide.xcdatamodeld",
    "storetool templates",
    "storetool migrate status",
  ]

  @Test func costsAreProportionalToEntities() throws {
    let costs = try [100, 200, 400].map(costs)
    for (index, command) in ([Self.create] + Self.commands).enumerated() {
      let (small, middle, large) = (costs[0][index], costs[1][index], costs[2][index])
      expectProportion(small.allocations, middle.allocations, large.allocations, command)
      expectProportion(small.steps, middle.steps, large.steps, command)
    }
  }

  /// Proportional costs differ from a ratio of 2 by at most 0.06, because hash tables grow in steps.
  private func expectProportion(_ small: Int, _ middle: Int, _ large: Int, _ command: String) {
    let (before, after) = (middle - small, large - middle)
    #expect(
      Double(after) <= 2.1 * Double(before) + 100,
      "\(command): \(small), \(middle), \(large) for 100, 200 and 400 entities")
  }

  /// Returns the costs of `create` and of the other commands.
  private func costs(entities count: Int) throws -> [ProcessCost] {
    let folder = try TemporaryFolder()
    let probe = try CostProbe(in: folder)
    let model = folder.url.appendingPathComponent("Wide.xcdatamodeld/Wide.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Self.model(entities: count).write(
      to: model.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
    let shell = BuiltCommand(
      in: folder.url,
      environment: probe.environment.merging([
        "STORETOOL_STORE": "Wide.sqlite",
        // The size of a hash table would depend on random numbers.
        "SWIFT_DETERMINISTIC_HASHING": "1",
      ]) { $1 })
    let create = try probe.cost(of: Self.create, in: shell)
    try FileManager.default.copyItem(
      at: folder.url.appendingPathComponent("Wide.sqlite"),
      to: folder.url.appendingPathComponent("Empty.sqlite"))
    return try [create] + Self.commands.map { try probe.cost(of: $0, in: shell) }
  }

  /// Returns a model whose entities form a ring of relationships. One in ten has a parent.
  private static func model(entities count: Int) -> String {
    let entities = (1...count).map { number in
      let (next, previous) = (number % count + 1, (number + count - 2) % count + 1)
      let parent = number % 10 == 0 ? " parentEntity=\"E\(number - 1)\"" : ""
      return """
        <entity name="E\(number)" representedClassName="E\(number)" syncable="YES"\(parent)>
        <attribute name="name\(number)" optional="YES" attributeType="String"/>
        <attribute name="date\(number)" optional="YES" attributeType="Date"/>
        <relationship name="next\(number)" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="E\(next)" inverseName="back\(next)" inverseEntity="E\(next)"/>
        <relationship name="back\(number)" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="E\(previous)" inverseName="next\(previous)" inverseEntity="E\(previous)"/>
        </entity>
        """
    }
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
      lastSavedToolsVersion="1" systemVersion="1" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
      userDefinedModelVersionIdentifier="">
      \(entities.joined(separator: "\n"))
      </model>
      """
  }
}
