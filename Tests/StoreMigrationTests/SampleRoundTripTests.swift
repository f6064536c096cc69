import StoreDiagnostics
import Foundation
import StoreMigration
import StoreModel
import StoreSeeding
import StoreModelReader
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import StoreCore
@testable import StoreImport

/// `import` restores an equal store from the output of `export`, for each sample model.
@Suite struct SampleRoundTripTests {
  /// A version of one of the models in `Models/`.
  struct Sample: CustomTestStringConvertible, Sendable {
    var bundle: String
    var version: ModelVersion

    var testDescription: String { "\(bundle): \(version.name)" }

    static let all: [Sample] = {
      let bundles = (try? ModelBundle.find(at: folder.path)) ?? []
      return bundles.flatMap { bundle in
        bundle.versions.map { Sample(bundle: bundle.name, version: $0) }
      }
    }()

    static let folder = BuiltCommand.repository.appendingPathComponent("Models")
  }

  /// The data of a sample model, and the command that loads it.
  struct DataSet: CustomTestStringConvertible, Sendable {
    var sample: String
    var file: String
    var entity: String?
    var root: [String] = []

    var testDescription: String { file }

    static let all = [
      DataSet(sample: "People: People", file: "People.ndjson"),
      DataSet(
        sample: "BubbleTea: BubbleTea", file: "BubbleTea.json", entity: "Venue",
        root: ["response", "venues"]),
      DataSet(sample: "Company: Company", file: "Company.json", entity: "Department"),
      DataSet(sample: "League: League", file: "League.json", entity: "Team"),
      DataSet(sample: "Shop: Shop", file: "Shop.csv", entity: "Product"),
      DataSet(sample: "Todo: Todo 2", file: "Todo.ndjson", entity: "Item"),
      DataSet(sample: "Journal: Journal", file: "Journal.ndjson"),
    ]
  }

  /// Exports one store, imports it into another, and compares the contents of their columns.
  private func expectRoundTrip(
    of first: GraphStore, _ model: DataModel, as format: RowFormat,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let second = try GraphStore(model)
    let outcome = try second.importing(
      first.exported(as: format), strict: true, as: format == .csv ? .csv : .json)
    let before = try StoreContent(of: first.store, first.layout)
    #expect(outcome.records > 0 && !before.lines.isEmpty, sourceLocation: sourceLocation)
    let after = try StoreContent(of: second.store, second.layout)
    if let difference = before.difference(to: after) {
      Issue.record("\(difference.prefix(4000))", sourceLocation: sourceLocation)
    }
  }

  @Test func everySampleIsThere() {
    let bundles = Set(Sample.all.map(\.bundle))
    #expect(bundles.count >= 7 && Sample.all.count >= 12)
    let withData = DataSet.all.compactMap { $0.sample.split(separator: ":").first.map(String.init) }
    #expect(Set(withData) == bundles)
  }

  @Test(arguments: DataSet.all) func itsDataComesBack(_ data: DataSet) throws {
    let sample = try #require(Sample.all.first { $0.testDescription == data.sample })
    let model = try sample.version.read().model
    let store = try GraphStore(model)
    let file = Sample.folder.appendingPathComponent("Data/\(data.file)")
    try store.importing(
      String(contentsOf: file, encoding: .utf8), entity: data.entity, root: data.root,
      as: RecordFormat(path: LocalPath(file.path)) ?? .json)
    // CSV supports only one entity.
    let formats: [RowFormat] =
      model.entities.count == 1 ? [.ndjson, .json, .csv] : [.ndjson, .json]
    for format in formats { try expectRoundTrip(of: store, model, as: format) }
  }

  /// Values of every type, NULL, and every relationship of every version.
  @Test(arguments: Sample.all) func madeUpRowsComeBack(_ sample: Sample) throws {
    let model = try sample.version.read().model.withoutBounds
    for seed in UInt64(1)...5 {
      let store = try GraphStore(model)
      try store.store.write {
        try SampleRows(store.layout, count: 12, seed: seed).write(to: $0)
      }
      try expectRoundTrip(of: store, model, as: .ndjson)
    }
  }
}

extension DataModel {
  /// The model without bounds. Generated values ignore bounds, and `import` rejects values outside of them.
  fileprivate var withoutBounds: DataModel {
    let entities = entities.map { entity in
      var entity = entity
      entity.attributes = entity.attributes.map { attribute in
        var attribute = attribute
        attribute.validation = AttributeDescription.Validation()
        return attribute
      }
      return entity
    }
    return DataModel(name: name, entities: entities, composites: composites)
  }
}
