package import StoreDiagnostics
import StoreModel
import StoreModelReader

/// A three-way merge for Git of a model or an `.xccurrentversion`. Other files that both sides changed are an error.
package struct FileMerge {
  /// The path in messages. Its file name determines whether the file is an `.xccurrentversion`.
  package let path: LocalPath
  private let base: [UInt8]?
  private let ours: [UInt8]
  private let theirs: [UInt8]
  private let versions: [String]?

  /// - Parameters:
  ///   - base: the content of the common ancestor. It is empty if both sides added the file.
  ///   - versions: the names of the model versions in the folder of an `.xccurrentversion`, or nil if they are unknown.
  package init(
    path: LocalPath, base: [UInt8], ours: [UInt8], theirs: [UInt8], versions: [String]? = nil
  ) {
    self.path = path
    self.base = base.isEmpty ? nil : base
    self.ours = ours
    self.theirs = theirs
    self.versions = versions
  }

  package struct Result {
    package var merge: ModelMerge.Result
    /// The error if the content can't be parsed. In this case, `merge` contains both sides' variants of the lines that
    /// differ, between conflict markers, or only our content if a side isn't UTF-8.
    package var error: DiagnosticError?
  }

  /// The name of the file that specifies the current version.
  package static let currentVersionFile = ".xccurrentversion"

  private var isCurrentVersion: Bool { path.name == LocalPath(Self.currentVersionFile) }

  /// Whether both sides have added the file, and it isn't an `.xccurrentversion`. In this case, both sides have added a
  /// model version with the same name.
  package var isSameVersion: Bool { base == nil && !isCurrentVersion }

  package func result(_ labels: MergeLabels) -> Result {
    if ours == theirs || theirs == base { return Result(merge: .init(bytes: ours)) }
    if ours == base { return Result(merge: .init(bytes: theirs)) }
    do {
      guard !isCurrentVersion else { return Result(merge: try currentVersion(labels)) }
      let merge = ModelMerge(
        base: try base.map { try ModelText(model: $0, of: "\(path) (base)") },
        ours: try ModelText(model: ours, of: "\(path) (\(labels.ours))"),
        theirs: try ModelText(model: theirs, of: "\(path) (\(labels.theirs))"))
      return Result(merge: merge.result(as: "\(path)", labels))
    } catch {
      return Result(
        merge: unread(labels), error: DiagnosticError([DiagnosticMessage](explaining: error)))
    }
  }

  /// Returns the common lines of both sides, and both variants of the lines that differ, between conflict markers. If a
  /// side isn't UTF-8 text, returns our content.
  private func unread(_ labels: MergeLabels) -> ModelMerge.Result {
    guard let own = String(validating: ours, as: UTF8.self),
      let other = String(validating: theirs, as: UTF8.self)
    else { return .init(bytes: ours) }
    let marked = MarkedText(MergedText(ours: own, theirs: other), labels)
    return .init(bytes: Array(marked.text.utf8))
  }
}

extension ModelText {
  /// Reads the text of a model.
  ///
  /// - Throws: `XMLError` if the XML can't be parsed, or `OtherXML` if it isn't a model.
  package init(model bytes: [UInt8], of file: String) throws {
    try self.init(file: file, bytes: bytes)
    guard root.name == "model" else { throw OtherXML(file: file, root: root.name) }
  }
}

/// XML that isn't a model.
package struct OtherXML: DiagnosableError, Hashable {
  var file: String
  var root: String

  package var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, "model.not-a-model", "the root element of '\(file)' is '\(root)', not 'model'"
      )
      .helping("specify the 'contents' file of an .xcdatamodel folder")
    ]
  }
}

extension FileMerge {
  /// Merges the current versions of a model on two branches. If both sides changed the current version, the later
  /// version is used, provided that the names determine which one is later.
  ///
  /// - Throws: `CurrentVersionError` if the content of a side or of the base isn't a property list.
  private func currentVersion(_ labels: MergeLabels) throws -> ModelMerge.Result {
    let names = (
      old: try base.flatMap(name(in:)), own: try name(in: ours), other: try name(in: theirs)
    )
    if names.own.isExactly(names.other) || names.other.isExactly(names.old) {
      return .init(bytes: ours)
    }
    if names.own.isExactly(names.old) { return .init(bytes: theirs) }
    guard let own = names.own, let other = names.other else {
      return conflict(names.own, names.other, "one of them doesn't have a current version", labels)
    }
    guard NaturalOrder.areNumbered(own, other) else {
      return conflict(own, other, "the names don't show which version is later", labels)
    }
    let isOurs = NaturalOrder.isLess(other, own)
    // Git may not have written the folder of their version yet, so only our version is checked.
    if isOurs, let versions, !versions.isEmpty, !versions.containsExactly(own) {
      return conflict(own, other, "'\(own)' doesn't exist in the folder of the file", labels)
    }
    let (later, earlier) = isOurs ? (own, other) : (other, own)
    let note = DiagnosticMessage(
      .note, "merge.later-version",
      "both sides changed the current version, to '\(own)' and to '\(other)'; '\(later)' is used"
    ).helping("check that '\(later)' contains the changes of '\(earlier)'")
    return .init(bytes: isOurs ? ours : theirs, notes: [note])
  }

  private func name(in bytes: [UInt8]) throws -> String? {
    do {
      return try ModelBundle.currentVersion(declaredIn: bytes).map(VersionName.stem)
    } catch {
      throw CurrentVersionError(file: "\(path)")
    }
  }

  private func conflict(
    _ own: String?, _ other: String?, _ reason: String, _ labels: MergeLabels
  ) -> ModelMerge.Result {
    let text = MergedText(
      ours: String(decoding: ours, as: UTF8.self), theirs: String(decoding: theirs, as: UTF8.self))
    let marked = MarkedText(text, labels)
    let conflict = MergeConflict(
      path: [], kind: .current(ours: own, theirs: other, reason: reason), mark: own ?? other ?? "")
    return .init(
      bytes: Array(marked.text.utf8),
      conflicts: marked.diagnostics(of: [conflict], labels, file: "\(path)"))
  }
}

/// A file that can't be merged, because the base or a side isn't a property list.
struct CurrentVersionError: DiagnosableError {
  let file: String

  var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, "merge.no-property-list",
        "'\(file)' is not a property list in the base or on one of the sides")
    ]
  }
}

/// Functions for the names of versions, such as `App 12`.
package enum VersionName {
  /// Returns the name of the next version: `App 13` for `App 12`, `App 2` for `App`.
  package static func next(after name: String) -> String {
    let digits = name.reversed().prefix { ("0"..."9").contains($0) }
    guard let number = Int(String(digits.reversed())), number < Int.max else { return name + " 2" }
    return name.dropLast(digits.count) + "\(number + 1)"
  }

  /// Returns the name of the version that a `contents` file belongs to, such as `App 12` for
  /// `Models/App.xcdatamodeld/App 12.xcdatamodel/contents`, or nil for another file.
  package static func ofModel(at path: LocalPath) -> String? {
    let version = path.parent.name
    guard path.name == "contents", version.hasSuffix(ending) else { return nil }
    return "\(version.dropLast(ending.utf8.count))"
  }

  /// Returns the name without the extension `.xcdatamodel`.
  package static func stem(of name: String) -> String {
    name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
  }

  package static let ending = ".xcdatamodel"
}
