package import StoreDiagnostics
import StoreModelReader

/// A three-way merge of model files, which compares elements and attributes instead of lines.
///
///     let merge = ModelMerge(base: base, ours: ours, theirs: theirs)
///     let result = merge.result(as: "App.xcdatamodel/contents", MergeLabels())
package struct ModelMerge {
  private let base: ModelText?
  private let ours: ModelText
  private let theirs: ModelText

  /// - Parameter base: the common ancestor, or nil.
  package init(base: ModelText?, ours: ModelText, theirs: ModelText) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  package struct Result: Sendable {
    package var bytes: [UInt8]
    /// The conflicts. `bytes` contains both variants of each, between conflict markers.
    package var conflicts: [DiagnosticMessage] = []
    /// Notes about decisions that a person should check, such as the chosen current version.
    package var notes: [DiagnosticMessage] = []
  }

  /// - Parameter file: the name of the merged file in messages.
  package func result(as file: String, _ labels: MergeLabels) -> Result {
    if let base {
      if base.isWritten(as: theirs) { return Result(bytes: ours.bytes) }
      if base.isWritten(as: ours) { return Result(bytes: theirs.bytes) }
    }
    if ours.isWritten(as: theirs) { return Result(bytes: ours.bytes) }
    let trees = MergeTrees(base: base?.root, ours: ours.root, theirs: theirs.root)
    var attempt = Attempt(trees, rest: rest, forced: [:])
    if !attempt.text.hasConflicts, case let faults = faults(of: attempt, file), !faults.isEmpty {
      attempt = Attempt(trees, rest: rest, forced: trees.conflicts(for: faults, in: attempt))
    }
    let marked = MarkedText(attempt.text, labels)
    var form = ours
    form.lineEnd = mergedLayout(base?.lineEnd, ours.lineEnd, theirs.lineEnd)
    form.hasMark = mergedLayout(base?.hasMark, ours.hasMark, theirs.hasMark)
    return Result(
      bytes: form.encoded(marked.text),
      conflicts: marked.diagnostics(of: attempt.conflicts, labels, file: file))
  }

  /// The merged text after the root element, such as a line break or comments.
  private var rest: String {
    mergedText(base?.rest, ours.rest, theirs.rest)
  }

  /// Returns the errors of the merged model that neither side has.
  private func faults(of attempt: Attempt, _ file: String) -> [DiagnosticMessage] {
    let bytes = Array(attempt.plainText.utf8)
    let validity = ModelValidity(of: XMLSource(file: file, bytes: bytes))
    guard !validity.faults.isEmpty else { return [] }
    return validity.faults(
      beside: [ModelValidity(of: ours.source), ModelValidity(of: theirs.source)])
  }
}

/// The merge of three trees. If the first attempt results in an invalid model, a second attempt turns the elements
/// `forced` into conflicts.
struct Attempt {
  let text: MergedText
  let conflicts: [MergeConflict]

  init(_ trees: MergeTrees, rest: String, forced: [[ElementKey]: InvalidModel]) {
    var merge = TreeMerge(
      names: (trees.oursNames, trees.theirsNames), hasBase: trees.base != nil, forced: forced)
    let root = merge.merge(trees.base, trees.ours, trees.theirs)
    text = MergedText(root, rest: rest)
    conflicts = merge.conflicts
  }

  /// The text of a merge without conflicts.
  var plainText: String {
    text.parts.reduce("") { text, part in
      if case .certain(let certain) = part { text + certain } else { text }
    }
  }
}
