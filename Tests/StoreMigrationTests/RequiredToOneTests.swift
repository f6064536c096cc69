import Foundation
import StoreDiagnostics
import StoreModel
import StorePredicate
import TestSupport
import Testing

@testable import StoreMigration

/// A migration that would leave a required to-one NULL is refused, as for a required attribute.
@Suite struct RequiredToOneTests {
  private static func owner(
    _ destination: String = "Owner", isOptional: Bool = false, id: String? = nil
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: "owner", destination: destination, isOptional: isOptional, renamingIdentifier: id)
  }

  private static func model(
    _ version: String, item: [RelationshipDescription], others: [String] = ["Owner"]
  ) -> DataModel {
    let name = AttributeDescription(name: "name", type: .string, isOptional: true)
    let flag = AttributeDescription(name: "isOld", type: .boolean)
    return DataModel(
      name: version,
      entities: [EntityDescription(name: "Item", attributes: [name, flag], relationships: item)]
        + others.map { EntityDescription(name: $0, attributes: [name, flag]) })
  }

  private static let missing = MappingError.missingDestination(
    entity: "Item", relationship: "owner", sourceEntity: "Item", sourceRelationship: nil)

  private func mapping(_ old: DataModel, _ new: DataModel, _ inside: String? = nil) throws
    -> ModelMapping
  {
    let pairing = ModelPairing(from: old, to: new)
    guard let inside else { return MappingInference.infer(pairing) }
    let xml = "<migration from=\"1\" to=\"2\">\(inside)</migration>"
    return try MappingInference.infer(pairing, with: Shop.definition(xml))
  }

  private func problems(
    _ old: DataModel, _ new: DataModel, _ inside: String? = nil
  ) throws -> [MappingError] {
    try PlanTrial(old, rows: 12).migrate(to: new, by: mapping(old, new, inside)).problems
  }

  private func verdict(
    _ old: DataModel, _ new: DataModel, _ inside: String? = nil
  ) throws -> PairTrial.Result {
    let folder = try TemporaryFolder()
    return try PairTrial(
      of: old, by: [mapping(old, new, inside)], names: ("1", "2"),
      sample: .init(rows: 12, seed: 1)
    ).run(in: LocalPath(folder.url.path))
  }

  // MARK: New relationships

  @Test func aNewOneLeadsNowhere() throws {
    let (old, new) = (Self.model("1", item: []), Self.model("2", item: [Self.owner()]))
    #expect(try problems(old, new) == [Self.missing])
    #expect(try mapping(old, new).obstacles == [Self.missing])
    let result = try verdict(old, new)
    #expect(result.verdict == .refused)
    #expect(result.problems.map(\.code) == ["migrate.missing-destination"])
    let optional = Self.model("2", item: [Self.owner(isOptional: true)])
    #expect(try problems(old, optional) == [])
    #expect(try mapping(old, optional).obstacles == [])
  }

  @Test func theRefusalSaysWhatToWrite() throws {
    let (old, new) = (Self.model("1", item: []), Self.model("2", item: [Self.owner()]))
    let check = FailedCheck(
      problem: try #require(problems(old, new).first), count: 2, offenders: [])
    #expect(
      DiagnosticRenderer().render(check.diagnostic) == """
        error: 'Item.owner' is required, but rows have no destination for it: 2 rows [migrate.missing-destination]
          help: and 2 more
          help: set the relationship in a definition: <entity name="Item"><relationship name="owner" match="…"/></entity>, or drop the rows: <drop entity="Item" where="…"/>

        """)
    let skeleton = DefinitionSkeleton(ModelPairing(from: old, to: new)).text
    #expect(
      skeleton == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- Migrates stores from '1' to '2'. All other changes are inferred. -->
        <migration from="1" to="2">
          <entity name="Item">
            <!-- 'owner' is required. Match a row of 'Owner' for rows without one: -->
            <!-- <relationship name="owner" match="TRUEPREDICATE"/> -->
          </entity>
          <!-- Or drop rows of 'Item': -->
          <!-- <drop entity="Item" where="TRUEPREDICATE"/> -->
        </migration>

        """)
  }

  /// A definition provides a destination for every row.
  @Test func aMatchGivesItADestination() throws {
    let (old, new) = (Self.model("1", item: []), Self.model("2", item: [Self.owner()]))
    let xml = #"<entity name="Item"><relationship name="owner" match="TRUEPREDICATE"/></entity>"#
    let outcome = try PlanTrial(old, rows: 12).migrate(to: new, by: mapping(old, new, xml))
    #expect(outcome.problems == [])
    #expect(outcome.failures == [])
    #expect(try verdict(old, new, xml).verdict == .proved)
  }

  /// Rows without a match are detected after the rows are written, and everything is rolled back.
  @Test func aMatchThatFindsNothingIsRefused() throws {
    let (old, new) = (Self.model("1", item: []), Self.model("2", item: [Self.owner()]))
    let result = try verdict(
      old, new,
      #"<entity name="Item"><relationship name="owner" match="name == 'no one'"/></entity>"#)
    #expect(result.verdict == .refused)
    #expect(result.problems.map(\.code) == ["migrate.missing-destination"])
  }

  // MARK: Changed to required

  @Test func oneThatIsMadeRequiredAsksTheRows() throws {
    let old = Self.model("1", item: [Self.owner(isOptional: true)])
    let new = Self.model("2", item: [Self.owner()])
    let asked = MappingError.missingDestination(
      entity: "Item", relationship: "owner", sourceEntity: "Item", sourceRelationship: "owner")
    #expect(try problems(old, new) == [asked])
    #expect(try mapping(old, new).obstacles == [])
    #expect(try mapping(old, new).risks == [asked])
    #expect(
      asked.remedy?.description.hasSuffix(#"<drop entity="Item" where="owner == nil"/>"#) == true)
    let result = try verdict(old, new)
    #expect(result.verdict == .conditional)
    #expect(result.problems.map(\.code) == ["migrate.missing-destination"])
    #expect(result.rows == 24)
    // The condition of the definition drops the rows without an owner.
    #expect(try problems(old, new, #"<drop entity="Item" where="owner == nil"/>"#) == [])
  }

  @Test func oneThatWasRequiredIsNotAsked() throws {
    let old = Self.model("1", item: [Self.owner()])
    let new = Self.model("2", item: [Self.owner()], others: ["Owner", "Zebra"])
    let outcome = try PlanTrial(old, rows: 12).migrate(to: new)
    #expect(outcome.plan.checks == [])
    #expect(try mapping(old, new).risks == [])
  }

  // MARK: The destination

  @Test func oneWhoseDestinationGoesLeadsNowhere() throws {
    let old = Self.model("1", item: [Self.owner("Person")], others: ["Person"])
    let new = Self.model("2", item: [Self.owner("Owner")])
    #expect(try problems(old, new) == [Self.missing])
    #expect(
      try mapping(old, new).obstacles.map(\.code) == ["migrate.missing-destination"])
    #expect(try verdict(old, new).verdict == .refused)
  }

  @Test func oneWhoseDestinationsAreFilteredAwayAsksTheRows() throws {
    let model = Self.model("1", item: [Self.owner()])
    let new = Self.model("2", item: [Self.owner()])
    let xml = #"<drop entity="Owner" where="isOld == YES"/>"#
    #expect(try problems(model, new, xml) == [Self.missing])
    #expect(try mapping(model, new, xml).obstacles == [])
    #expect(try mapping(model, new, xml).risks.map(\.code) == ["migrate.missing-destination"])
    // Some rows can be migrated, though the sample doesn't determine which.
    let result = try verdict(model, new, xml)
    #expect(result.verdict == .conditional, "\(result.problems)")
    #expect(result.problems.map(\.code) == ["migrate.missing-destination"])
    #expect((result.report?.rowsProved ?? 0) > 0)
    let all = try verdict(model, new, #"<drop entity="Owner"/>"#)
    #expect(all.verdict == .refused)
  }

  // MARK: One-to-one

  /// A row that loses a shared destination has NULL, which isn't allowed even with a permission.
  @Test func aRowThatGivesUpASharedDestinationHasNone() throws {
    func version(_ name: String, _ inverse: RelationshipDescription.Cardinality) -> DataModel {
      DataModel(
        name: name,
        entities: [
          EntityDescription(
            name: "Item",
            relationships: [
              RelationshipDescription(name: "owner", destination: "Owner", inverse: "item")
            ]),
          EntityDescription(
            name: "Owner",
            relationships: [
              RelationshipDescription(
                name: "item", destination: "Item", inverse: "owner", cardinality: inverse,
                isOptional: true)
            ]),
        ])
    }
    let (old, new) = (version("1", .toMany(ordered: false)), version("2", .toOne))
    let codes = try problems(old, new).map(\.code)
    #expect(codes == ["migrate.missing-destination", "migrate.shared-destination"])
    let result = try verdict(old, new)
    #expect(result.verdict == .conditional, "\(result.problems)")
    #expect(result.problems.map(\.code) == ["migrate.missing-destination"])
  }
}
