import StoreDiagnostics

/// The names of the sides in messages and in conflict markers, and the length of the markers.
package struct MergeLabels: Hashable, Sendable {
  package var ours: String
  package var theirs: String
  /// The number of `<`, `=` or `>` in a marker. Git can request more than 7 for nested markers.
  package var markerSize: Int
  /// The descriptions of the sides in messages, if they differ from the names in the markers.
  package var oursInWords: String?
  package var theirsInWords: String?

  package init(ours: String = "ours", theirs: String = "theirs", markerSize: Int = 7) {
    self.ours = ours
    self.theirs = theirs
    self.markerSize = markerSize
  }

  func inWords(_ side: MergeSide) -> String {
    if let words = side == .ours ? oursInWords : theirsInWords { return words }
    let label = side == .ours ? ours : theirs
    return switch label {
    case "ours": "our side"
    case "theirs": "their side"
    default: "'\(label)'"
    }
  }

  var start: String { marker("<", ours) }
  var middle: String { String(repeating: "=", count: markerSize) }
  var end: String { marker(">", theirs) }

  private func marker(_ sign: Character, _ label: String) -> String {
    String(repeating: sign, count: markerSize) + (label.isEmpty ? "" : " " + label)
  }
}

/// A side of a merge, as in Git: `ours` is the current branch, and `theirs` is the branch that is merged into it.
package enum MergeSide: Hashable, Sendable {
  case ours, theirs

  var other: MergeSide { self == .ours ? .theirs : .ours }
}

/// An error in the merged model.
struct InvalidModel: Hashable, Sendable {
  var reason: String
  /// The elements that one side has removed, but to which the invalid element refers.
  var removed: [Removal] = []

  struct Removal: Hashable, Sendable {
    var side: MergeSide
    var path: [ElementKey]
  }
}

/// A conflict that a person must resolve.
struct MergeConflict: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// Both sides changed the value of an attribute differently or, without a common ancestor, have different values.
    /// Nil means that the attribute is missing.
    case value(attribute: String, base: String?, ours: String?, theirs: String?)
    /// One side removed an element that the other one changed.
    case removed(by: MergeSide, change: String)
    /// Both sides changed the columns of an index, the constraints or the compound indexes differently. The first value
    /// names these parts in messages.
    case parts(String, ours: String, theirs: String)
    /// Only one side has the element. Without a common ancestor, it is unknown whether one side added it or the other
    /// one removed it.
    case only(MergeSide)
    /// The sides changed the current version differently. `reason` explains why neither version was chosen.
    case current(ours: String?, theirs: String?, reason: String)
    /// The result would be an invalid model.
    case invalid(InvalidModel, ours: String, theirs: String)
  }

  var path: [ElementKey]
  var kind: Kind
  /// The text in the merged file that the diagnostic marks.
  var mark: String

  func diagnostic(_ labels: MergeLabels) -> DiagnosticMessage {
    let (ours, theirs) = (labels.inWords(.ours), labels.inWords(.theirs))
    switch kind {
    case .value(let attribute, let base, let own, let other):
      let what = "'\(attribute)' of \(subject)"
      func change(to value: String?) -> String {
        guard let base else { return value.map { "has '\($0)'" } ?? "has none" }
        return value.map { "changed it from '\(base)' to '\($0)'" } ?? "removed it"
      }
      return conflict("\(what): \(ours) \(change(to: own)), and \(theirs) \(change(to: other))")
    case .removed(let side, let change):
      return conflict(
        "\(subject): \(labels.inWords(side)) removed it, but \(labels.inWords(side.other)) \(change)"
      )
    case .parts(let noun, let own, let other):
      return conflict("\(noun) of \(subject): \(ours) has \(own), and \(theirs) has \(other)")
    case .only(let side):
      return conflict(
        "\(subject): \(labels.inWords(side)) has it, but \(labels.inWords(side.other)) doesn't")
    case .current(let own, let other, let reason):
      func name(_ version: String?) -> String { version.map { "'\($0)'" } ?? "none" }
      return conflict(
        "the current version: \(ours) has \(name(own)), \(theirs) has \(name(other)), and \(reason)"
      ).helping("keep the line of the version that has the changes of both")
    case .invalid(let model, let own, let other):
      let removed = model.removed.map {
        "; \(labels.inWords($0.side)) removed \(Self.words(for: $0.path))"
      }
      return conflict(
        "\(subject): \(ours) \(own), and \(theirs) \(other); merging both would result in an invalid model: "
          + model.reason + removed.joined())
    }
  }

  private func conflict(_ message: String) -> DiagnosticMessage {
    DiagnosticMessage(.error, "merge.conflict", message)
  }

  /// The subject, such as "the attribute 'Person.age'".
  private var subject: String { Self.words(for: path) }

  private static func words(for path: [ElementKey]) -> String {
    guard let last = path.last else { return "the model" }
    let owners = path.dropLast().filter { !$0.isContainer }.map(\.name)
    guard let owner = owners.last else { return last.inWords }
    switch last.kind {
    case "attribute", "relationship", "fetchIndex", "fetchedProperty":
      var named = last
      named.name = "\(owner).\(last.name)"
      return named.inWords
    default:
      return "\(last.inWords) of '\(owners.joined(separator: "."))'"
    }
  }
}
