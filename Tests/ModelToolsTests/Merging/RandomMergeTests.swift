import Foundation
import ModelTools
import SeededRandom
import StoreDiagnostics
import StoreModel
import StoreModelReader
import TestSupport
import Testing

/// Random edits of random models, merged: 400 pairs, or as many as the environment variable specifies.
///
///     MODEL_MERGE_SEEDS=17 swift test --filter RandomMergeTests          one again
///     MODEL_MERGE_SEEDS=1-10000 swift test --filter RandomMergeTests     20,000 pairs
struct RandomMergeTests {
  static let seeds = Seeds.named("MODEL_MERGE_SEEDS", otherwise: 1...200)

  /// Independent edits merge to the model with both edits, in either direction, and to the same bytes as that model
  /// written directly.
  @Test func disjointEditsMerge() throws {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let base = DraftModel(&random)
      let (own, other) = try Self.disjoint(base, &random)
      let comment = Self.comment(seed, own, other)
      let trio = MergeTrio(
        try Self.file(base), try Self.file(base, own), try Self.file(base, other))
      let both = try Self.text(base, own + other)
      try Self.expect(trio.merge(\.ours, \.theirs), both, comment)
      let swapped = try Self.text(base, other + own)
      try Self.expect(trio.merge(\.theirs, \.ours), swapped, comment)
      // merge(b, x, b) = x, merge(b, b, x) = x, merge(b, x, x) = x
      let ours = trio.ours.bytes
      #expect(trio.merge(\.ours, \.base).bytes == ours, comment)
      #expect(trio.merge(\.base, \.ours).bytes == ours, comment)
      #expect(trio.merge(\.ours, \.ours).bytes == ours, comment)
    }
  }

  /// Edits of the same element conflict in either direction, and both sides can be restored from the markers.
  @Test func overlappingEditsConflict() throws {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let base = DraftModel(&random)
      let (own, other) = OverlappingEdits.draw(base, &random)
      let comment = Self.comment(seed, [own], [other])
      let trio = MergeTrio(
        try Self.file(base), try Self.file(base, [own]), try Self.file(base, [other]))
      for merge in [trio.merge(\.ours, \.theirs), trio.merge(\.theirs, \.ours)] {
        #expect(!merge.conflicts.isEmpty, comment)
        let text = String(decoding: merge.bytes, as: UTF8.self)
        #expect(text.contains("<<<<<<< ours\n"), comment)
        for side in [true, false] {
          let chosen = try ModelText(
            file: "chosen", bytes: Array(Self.choosing(side, in: text).utf8))
          #expect(!chosen.bytes.isEmpty, comment)
        }
      }
    }
  }

  private static func disjoint(
    _ base: DraftModel, _ random: inout SeededGenerator
  ) throws -> ([RandomEdit], [RandomEdit]) {
    func edits(_ mark: String, beside others: [RandomEdit]) -> [RandomEdit] {
      var edits: [RandomEdit] = []
      for number in 0..<(1 + random.below(4)) {
        let edit = RandomEdit.draw(base, &random, mark: "\(mark)\(number)")
        if !(others + edits).contains(where: edit.overlaps) { edits.append(edit) }
      }
      return edits
    }
    let own = edits("o", beside: [])
    return (own, edits("t", beside: own))
  }

  private static func text(_ base: DraftModel, _ edits: [RandomEdit] = []) throws -> String {
    var draft = base
    for edit in edits { edit.apply(&draft) }
    return try ModelXML.text(of: draft.model)
  }

  private static func file(_ base: DraftModel, _ edits: [RandomEdit] = []) throws -> ModelText {
    try ModelText(file: "contents", bytes: Array(text(base, edits).utf8))
  }

  /// Any edits of valid models, even of the same elements and names, result in a valid model or a conflict.
  @Test func anyEditsMakeAModelOrConflict() throws {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed, case: 1)
      let base = DraftModel(&random)
      func edits() -> [RandomEdit] {
        (0..<(1 + random.below(4))).map { _ in
          RandomEdit.draw(base, &random, mark: "\(random.below(2))")
        }
      }
      let (own, other) = (edits(), edits())
      let comment = Self.comment(seed, own, other)
      let trio = MergeTrio(
        try Self.file(base), try Self.file(base, own), try Self.file(base, other))
      guard Self.isModel(trio.ours.bytes), Self.isModel(trio.theirs.bytes) else { continue }
      for merge in [trio.merge(\.ours, \.theirs), trio.merge(\.theirs, \.ours)] {
        #expect(!merge.conflicts.isEmpty || Self.isModel(merge.bytes), comment)
      }
    }
  }

  private static func isModel(_ bytes: [UInt8]) -> Bool {
    do {
      _ = try ModelReading.read(XMLSource(file: "contents", bytes: bytes), name: "Random")
      return true
    } catch {
      return false
    }
  }

  /// Expects a merge without conflicts that is a valid model with the expected text.
  private static func expect(
    _ merge: ModelMerge.Result, _ expected: String, _ comment: Comment
  ) throws {
    #expect(merge.conflicts.map(\.message) == [], comment)
    guard merge.conflicts.isEmpty else { return }
    _ = try ModelReading.read(XMLSource(file: "contents", bytes: merge.bytes), name: "Random")
    let text = String(decoding: merge.bytes, as: UTF8.self)
    guard text != expected else { return }
    Issue.record("\(comment)\n\(Golden.lineDifference(from: expected, to: text))")
  }

  private static func choosing(_ ours: Bool, in text: String) -> String {
    var (lines, side) = ([Substring](), Bool?.none)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      switch line {
      case "<<<<<<< ours": side = true
      case "=======": side = false
      case ">>>>>>> theirs": side = nil
      default: if side == nil || side == ours { lines.append(line) }
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func comment(
    _ seed: UInt64, _ own: [RandomEdit], _ other: [RandomEdit]
  ) -> Comment {
    "seed \(seed): \(own.map(\.name)) and \(other.map(\.name))"
  }
}

/// A model and two versions of it.
private struct MergeTrio {
  let base: ModelText
  let ours: ModelText
  let theirs: ModelText

  init(_ base: ModelText, _ ours: ModelText, _ theirs: ModelText) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }

  func merge(
    _ one: KeyPath<MergeTrio, ModelText> & Sendable,
    _ other: KeyPath<MergeTrio, ModelText> & Sendable
  ) -> ModelMerge.Result {
    ModelMerge(base: base, ours: self[keyPath: one], theirs: self[keyPath: other])
      .result(as: "contents", MergeLabels())
  }
}

/// Two edits of the same thing.
enum OverlappingEdits {
  static func draw(
    _ base: DraftModel, _ random: inout SeededGenerator
  ) -> (RandomEdit, RandomEdit) {
    let entity = random.pick(base.entities)
    let attribute = random.pick(entity.attributes)
    typealias Edit = RandomEdit
    let removal = Edit.removeAttribute(entity, attribute, base)
    let entityRemoval = Edit.removeEntity(entity, base)
    let isRemovable = removal.name.hasPrefix("remove")
    switch random.below(13) {
    case 0: return (.setDefault(entity, attribute, 1001), .setDefault(entity, attribute, 1002))
    case 1: return (.setModifier(entity, attribute, "a"), .setModifier(entity, attribute, "b"))
    case 2: return (.rename(entity, attribute, "x1"), .rename(entity, attribute, "x2"))
    case 3: return (.rename(entity, "Xa"), .rename(entity, "Xb"))
    case 4: return (.setClass(entity, "Xa"), .setClass(entity, "Xb"))
    case 5: return (.setUserInfo(entity, "key", "a"), .setUserInfo(entity, "key", "b"))
    case 6: return (.addAttribute(entity, "new", 1), .addAttribute(entity, "new", 2))
    case 7 where isRemovable: return (removal, .setDefault(entity, attribute, 1001))
    case 8 where isRemovable: return (removal, .addIndex(entity, attribute, "byNew"))
    case 9 where isRemovable: return (removal, .addConstraint(entity, attribute))
    case 10 where entityRemoval.name.hasPrefix("remove"):
      return (entityRemoval, .addAttribute(entity, "new", 1))
    case 11 where entityRemoval.name.hasPrefix("remove"):
      guard let other = base.entities.first(where: { $0.name != entity.name }) else { break }
      return (entityRemoval, .connect(other, entity, "n"))
    case 12 where entityRemoval.name.hasPrefix("remove"):
      return (entityRemoval, .addTemplate(entity, "new"))
    default: break
    }
    // Some entities and attributes can't be removed.
    return draw(base, &random)
  }
}
