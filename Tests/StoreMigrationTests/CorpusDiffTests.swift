import Foundation
import StoreLayout
import StoreMigration
import StoreModel
import StoreModelReader
import TestSupport
import Testing

/// The corpus lists the changes of 276 pairs of consecutive versions of real models.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusDiffTests {
  struct Transition: CustomStringConvertible {
    var bundle: String
    var from: String
    var to: String
    var letter: String
    var changes: Set<String>

    var description: String { "\(bundle): \(versions)" }
    var versions: String {
      "\(from) → \(to)".replacingOccurrences(of: ".xcdatamodel", with: "")
    }

    func diff() throws -> ModelDiff {
      let folder = Corpus.models.appendingPathComponent(bundle)
      func model(_ name: String) throws -> DataModel {
        let path = folder.appendingPathComponent(name).path
        let bundle = try #require(try ModelBundle.find(at: path).first)
        return try bundle.requireCurrentVersion().read().model
      }
      return ModelDiff(from: try model(from), to: try model(to))
    }
  }

  static func transitions() throws -> [Transition] {
    try Corpus.table("transitions.tsv").map { row in
      let changes = (row["changes"] ?? "").components(separatedBy: "; ").filter { !$0.isEmpty }
      return Transition(
        bundle: row["bundle"] ?? "", from: row["from"] ?? "", to: row["to"] ?? "",
        letter: row["class"] ?? "", changes: Set(changes))
    }
  }

  /// Read once for both tests.
  static let diffs = Result { try transitions().map { ($0, try $0.diff()) } }

  /// Transitions for which our diff differs from the corpus, with the reason.
  static let disagreements: [String: (missing: Set<String>, surplus: Set<String>, letter: String)] =
    [
      // The corpus doesn't compare a relationship that has moved: the destination of `comments` of ReaderPost was
      // ReaderComment. It is inherited now, and its destination is Comment.
      "WordPress 20 → WordPress 21": (
        [],
        [
          "relationship delete rule changed",
          "relationship destination changed to an unrelated entity",
        ], "G"
      ),
      // `valueTransformerName=""` counts as no transformer.
      "ZMEventModel → ZMEventModel2.0": (["valueTransformerName changed"], [], "B"),
    ]

  @Test func findsWhatTheCorpusLists() throws {
    let diffs = try Self.diffs.get()
    #expect(diffs.count == 276)
    var disagreed: Set<String> = []
    for (transition, diff) in diffs {
      let found = Set(diff.changes.flatMap(\.corpusLabels))
      let missing = transition.changes.subtracting(found)
      let surplus = found.subtracting(transition.changes)
      let letter = diff.difficulty.letter
      let expected = Self.disagreements[transition.versions] ?? ([], [], transition.letter)
      if expected.letter != transition.letter { disagreed.insert(transition.versions) }
      #expect(missing == expected.missing, "\(transition)")
      #expect(surplus == expected.surplus, "\(transition)")
      #expect(letter == expected.letter, "\(transition)")
    }
    #expect(disagreed == Set(Self.disagreements.keys), "a disagreement that is none")
  }

  /// An entity's hash changes only if the entity, or one that it inherits from, has a change that affects the hash.
  @Test func saysWhichHashesChange() throws {
    for (transition, diff) in try Self.diffs.get() {
      let (source, target) = (diff.source, diff.target)
      let old = VersionHash.hashes(of: source)
      let new = VersionHash.hashes(of: target)
      let said = Set(diff.changes.filter { $0.effect == .hash }.compactMap(\.entity))
      for entity in target.entities {
        let chain = [entity] + target.ancestors(of: entity)
        let before = diff.pairing.pair(toTarget: entity.name).flatMap { old[$0.source] }
        #expect(
          chain.contains { said.contains($0.name) } == (before != new[entity.name]),
          "\(transition): \(entity.name)")
      }
    }
  }
}
