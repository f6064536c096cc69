package import StoreDiagnostics
import StoreModelReader

/// A three-way merge of model files by meaning.
///
///     let merge = try ModelMerge(base: base, ours: ours, theirs: theirs)
///     let result = merge.result(as: "App.xcdatamodel/contents", MergeLabels())
package struct ModelMerge {
  private let base: ModelText?
  private let ours: ModelText
  private let theirs: ModelText

  /// - Parameter base: what both came of; nil where they have no common past.
  package init(base: ModelText?, ours: ModelText, theirs: ModelText) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  package struct Result: Sendable {
    package var bytes: [UInt8]
    /// What is left to a person, between markers in the text.
    package var conflicts: [Diagnostic]
    /// What a person should look at all the same.
    package var notes: [Diagnostic] = []
  }

  /// - Parameter file: what messages call the merged file.
  package func result(as file: String, _ labels: MergeLabels) -> Result {
    if let base {
      if base.isWritten(as: theirs) { return Result(bytes: ours.bytes, conflicts: []) }
      if base.isWritten(as: ours) { return Result(bytes: theirs.bytes, conflicts: []) }
    }
    if ours.isWritten(as: theirs) { return Result(bytes: ours.bytes, conflicts: []) }
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

  /// Behind the root element, where a file may end with a line break or not.
  private var rest: String {
    mergedText(base?.rest, ours.rest, theirs.rest)
  }

  /// What is wrong with the merged model and with neither side.
  private func faults(of attempt: Attempt, _ file: String) -> [ModelValidity.Issue] {
    let bytes = Array(attempt.plainText.utf8)
    let validity = ModelValidity(of: XMLSource(file: file, bytes: bytes))
    guard !validity.faults.isEmpty else { return [] }
    return validity.faults(
      beside: [ModelValidity(of: ours.source), ModelValidity(of: theirs.source)])
  }
}

/// One try at a merge.
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

  /// Of a merge without conflicts.
  var plainText: String {
    text.parts.reduce("") { text, part in
      if case .certain(let certain) = part { text + certain } else { text }
    }
  }
}
