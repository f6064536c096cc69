import RecordFormats
import StoreDiagnostics

/// The mistakes of an input. One that most records share, as in a file of another kind, is not told for each.
struct RecordIssues {
  /// In the order of the input.
  private var told: [Diagnostic] = []
  private var kinds: [Kind: (last: Int, told: Int, untold: Int)] = [:]
  private var count = 0

  private struct Kind: Hashable {
    var code: String
    /// The property, or the message.
    var subject: String
  }

  private static let toldOfAKind = 3
  /// After so many the rest of the input is not looked at, whether they are told or not.
  private let limit: Int

  /// - Parameter isFile: whether the input ends by itself: the records of a program may take forever to come.
  init(isFile: Bool) {
    limit = isFile ? 1_000 : BatchInsert.errorLimit
  }

  var isEmpty: Bool { told.isEmpty }
  var areTooMany: Bool { told.count >= BatchInsert.errorLimit || count >= limit }

  mutating func add(_ error: RowError) {
    count += 1
    guard error.record != nil, let diagnostic = error.diagnostics.first else {
      return told += error.diagnostics
    }
    let kind = Kind(code: diagnostic.code, subject: error.subject)
    var known = kinds[kind] ?? (0, 0, 0)
    if known.told < (error.isOfRecord ? Self.toldOfAKind : 1) {
      known = (told.count, known.told + 1, 0)
      told.append(diagnostic)
    } else {
      known.untold += 1
    }
    kinds[kind] = known
  }

  mutating func add(_ error: InputError) {
    count += 1
    told += error.diagnostics
  }

  var diagnostics: [Diagnostic] {
    var diagnostics = told
    for (last, _, untold) in kinds.values where untold > 0 {
      let more = count >= limit ? "at least \(untold)" : "\(untold)"
      diagnostics[last] = diagnostics[last].helping(
        "the same is wrong with \(more) more \("record".plural(untold))")
    }
    return diagnostics
  }
}

extension RowError {
  /// What errors of one kind have in common.
  fileprivate var subject: String {
    switch kind {
    case .value(let property, _, _), .danglingReference(let property, _, _),
      .destination(let property, _):
      property
    default: "\(kind)"
    }
  }

  /// Whether each record may be wrong in its own way.
  fileprivate var isOfRecord: Bool {
    if case .value = kind { true } else { false }
  }
}
