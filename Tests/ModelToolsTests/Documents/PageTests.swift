import ModelTools
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Pages of models with all features, and of names that contain markup.
struct PageTests {
  private static func shop() throws -> DataModel {
    DataModel(
      name: "Shop 2", versionIdentifiers: ["2.0", "a|b"],
      entities: [
        EntityDescription(
          name: "Thing", isAbstract: true,
          attributes: [
            AttributeDescription(
              name: "code", type: .string, defaultValue: .string("a`b|c"),
              validation: AttributeDescription.Validation(
                minimum: .integer(1), maximum: .integer(20), pattern: "[A-Z|]+"),
              userInfo: ["comment": "Printed on the *label*\n| never reused", "z": "1"]),
            AttributeDescription(
              name: "made", type: .date, isOptional: true, isTransient: true,
              defaultValue: .date(0), isIndexed: true, allowsExternalStorage: true,
              isPreservedAfterDeletion: true, allowsCloudEncryption: true,
              isIndexedBySpotlight: true, usesScalarValueType: true, valueTransformer: "T",
              customClassName: "C", renamingIdentifier: "born", versionHashModifier: "2"),
          ],
          uniquenessConstraints: [["code"]]),
        EntityDescription(
          name: "Product", parent: "Thing", className: "ShopProduct", codeGeneration: "class",
          attributes: [
            AttributeDescription(name: "size", type: .composite("Size"), isOptional: true)
          ],
          relationships: [
            RelationshipDescription(
              name: "parts", destination: "Product", inverse: "whole",
              cardinality: .toMany(ordered: true), isOptional: true, deleteRule: .cascade),
            RelationshipDescription(
              name: "whole", destination: "Product", inverse: "parts", isOptional: true),
          ],
          fetchedProperties: [
            FetchedProperty(
              name: "others",
              request: FetchRequestTemplate(
                name: "r", entity: "Product", predicateText: PredicateText("code == 'a|b'")))
          ],
          indexes: [
            FetchIndex(
              name: "byCode",
              elements: [
                FetchIndex.Element(.property("code"), isAscending: false),
                FetchIndex.Element(.expression("code.length", type: .integer16), kind: .rTree),
              ], partialPredicate: "code != 'x|y'"),
            FetchIndex(
              name: "", elements: [FetchIndex.Element(.property("code"))], origin: .compoundIndex),
          ], renamingIdentifier: "Item", versionHashModifier: "m",
          userInfo: ["documentation": "What is <sold>."]),
      ],
      templates: [
        FetchRequestTemplate(
          name: "byCode", entity: "Product", predicateText: PredicateText("code == $CODE"),
          predicate: try FormatPredicate(parsing: "code == $CODE"),
          limit: 5, batchSize: 20, includesSubentities: false, returnsDistinctResults: true,
          resultType: .count),
        FetchRequestTemplate(name: "faulty", entity: "Product"),
      ],
      configurations: [ConfigurationDescription(name: "Local", entities: ["Product", "Thing"])],
      composites: [
        CompositeDescription(
          name: "Size", attributes: [AttributeDescription(name: "width", type: .double)])
      ])
  }

  private static func notes(on model: DataModel) throws -> [ModelPage.TemplateNote] {
    [
      ModelPage.TemplateNote(
        name: "byCode",
        variables: try model.requireTemplate(named: "byCode").checked(in: model).variables,
        sql: "SELECT \"ZCODE\" FROM \"ZTHING\" WHERE \"ZCODE\" = ?1 LIMIT ?2",
        parameters: ["$CODE", "5"]),
      ModelPage.TemplateNote(name: "faulty", variables: [], problem: "'Product' has no 'x|y'"),
    ]
  }

  @Test func pageIsAsRecorded() throws {
    let shop = try Self.shop()
    let page = ModelPage(of: shop, title: "Shop", templates: try Self.notes(on: shop))
    Golden.expect(page.text, matches: "Shop.md")
  }

  /// Each line of a table has as many cells as its header, for any names.
  @Test func tablesAreWhole() throws {
    for model in [SampleModel.odd, SampleModel.library, try Self.shop()] {
      let page = ModelPage(of: model, title: model.name, templates: [])
      var columns: Int?
      for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.hasPrefix("|") else {
          columns = nil
          continue
        }
        let bars = line.replacing("\\\\", with: "").replacing("\\|", with: "").count { $0 == "|" }
        #expect(bars == columns ?? bars, "\(line)")
        columns = bars
      }
    }
  }

  @Test func modelWithoutEntitiesHasAPage() {
    let page = ModelPage(of: DataModel(name: "M", entities: []), title: "M", templates: [])
    #expect(page.text == "# M\n\nVersion M; 0 entities; 0 fetch-request templates.\n")
  }
}
