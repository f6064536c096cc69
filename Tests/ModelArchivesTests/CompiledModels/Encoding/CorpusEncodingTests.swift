import Foundation
import SeededRandom
import StoreModel
import StoreModelReader
import TestSupport
import Testing

@testable import ModelArchives

@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusEncodingTests {
  private struct Result {
    var store: String
    var model: String
    var habits: Set<WriterHabit>
    var differences: [GraphDifference]
  }

  /// Compares the archive of the XML with the archive in a real store of that model.
  @Test func archivesOfXMLAreThoseOfStores() throws {
    let archives = Dictionary(
      CorpusArchive.all.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    var results: [Result] = []
    for row in try Corpus.table("store-models.tsv") {
      guard let store = row["store"], let path = row["model"], let bytes = archives[store] else {
        continue
      }
      var ours = try ArchiveGraph(EncodedModel(try readModel(path), as: .store).bytes)
      var theirs = try ArchiveGraph(bytes)
      let habits = WriterHabit.unify(&ours, &theirs)
      results.append(
        Result(
          store: store, model: path, habits: habits,
          differences: GraphDifference.between(ours, theirs)))
    }
    let equal = results.filter(\.differences.isEmpty)
    #expect(equal.count * 10 >= results.count * 9, "\(equal.count) of \(results.count)")
    #expect(equal.count { $0.habits.isEmpty } >= 15)
    // Without `.omo` files and migrations, only the facts of another XML differ.
    let kinds = Set(results.flatMap(\.differences).map(\.kind))
    #expect(kinds.isSubset(of: Self.knownKinds), "\(kinds.subtracting(Self.knownKinds))")
    report(results)
  }

  /// Several files of the history can have the hashes of a store. Data that isn't part of a hash may then be from
  /// another version.
  private static let knownKinds: Set = [
    "NSVersionIdentifiers", "NSRenamingIdentifier", "NSValueTransformerName",
    "NSAttributeValueClassName", "NSProperties", "a property",
    // The XML contains the empty text.
    "NSClassNameForEntity",
  ]

  private func report(_ results: [Result]) {
    guard ProcessInfo.processInfo.environment["REPORT"] != nil else { return }
    let equal = results.filter(\.differences.isEmpty)
    print(
      "equal: \(equal.count) of \(results.count); as they are:", equal.count { $0.habits.isEmpty })
    for habit in WriterHabit.allCases {
      print("\(results.count { $0.habits.contains(habit) }) pairs: \(habit.rawValue)")
    }
    for result in results where !result.differences.isEmpty {
      print(result.store, result.model)
      for difference in result.differences.prefix(4) { print("    \(difference)") }
    }
  }

  private func readModel(_ path: String) throws -> DataModel {
    let url = Corpus.models.appendingPathComponent(path)
    let source = XMLSource(file: path, bytes: Array(try Data(contentsOf: url)))
    return try ModelReading.read(source, name: "Model").model
  }

  /// The archive in a store has the same indexes over expressions after it is read and written.
  @Test func indexesOverExpressionsComeBack() throws {
    var count = 0
    for archive in CorpusArchive.all {
      var theirs = try ArchiveGraph(archive.bytes)
      let expressions = theirs.nodes.mapValues { node in
        node["NSIndexElements"]?.members?.count { $0["NSIndexedProperty"] != nil } ?? 0
      }.filter { $0.value > 0 }
      guard !expressions.isEmpty else { continue }
      count += expressions.values.reduce(0, +)
      let model = try CompiledModel.decode(archive.bytes, name: "Model").model
      var ours = try ArchiveGraph(EncodedModel(model, as: .store).bytes)
      _ = WriterHabit.unify(&ours, &theirs)
      let differences = GraphDifference.between(ours, theirs).filter { difference in
        expressions.keys.contains { difference.place.hasPrefix("\($0)/") }
      }
      #expect(differences.isEmpty, "\(archive.path): \(differences)")
    }
    #expect(count == 129)
  }

  /// Compiling the model that was read from a compiled model creates the same bytes.
  @Test func archivesOfArchivesAreTheSame() throws {
    for archive in Soak.sample(of: CorpusArchive.all, every: 6) {
      for form in [EncodedModel.Form.file, .store] {
        let model = try CompiledModel.decode(archive.bytes, name: "Model").model
        let encoded = EncodedModel(model, as: form)
        #expect(encoded.omissions.isEmpty, "\(archive.path)")
        let again = try CompiledModel.decode(encoded.bytes, name: "Model").model
        #expect(again == model, "\(archive.path)")
        #expect(EncodedModel(again, as: form).bytes == encoded.bytes, "\(archive.path)")
      }
    }
  }
}

extension GraphDifference {
  /// The key that differs, at any depth.
  fileprivate var kind: String {
    let parts = place.split(separator: "/")
    return parts.count == 1 ? "a property" : String(parts[1])
  }
}
