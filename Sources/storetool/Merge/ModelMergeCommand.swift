import ArgumentParser
import ModelTools
import StoreDiagnostics

struct ModelMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge two versions of a model file semantically.",
    discussion: """
      Changes of only one side are applied, and equal changes of both sides are applied once. The formatting of the \
      file is kept. Each conflict is marked and reported, and the exit status is 1 if there are any. BASE is the \
      common ancestor. It is an empty file if both sides have added the file. If both sides have changed an \
      .xccurrentversion, the version whose name ends with the higher number wins. The second example is the merge \
      driver that 'git install' configures. Before Git 2.44, it has no labels:

        storetool model merge base.xml ours.xml theirs.xml > contents
        storetool model merge --output=%A --path=%P --marker-size=%L --ours-label=%X --theirs-label=%Y -- %O %A %B
      """)

  @Argument(help: "The common ancestor.", completion: .file())
  var base: LocalPath

  @Argument(help: "Our version of the file.", completion: .file())
  var ours: LocalPath

  @Argument(help: "Their version of the file.", completion: .file())
  var theirs: LocalPath

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, which can be OURS. Default: standard output.", valueName: "file"),
    completion: .file())
  var output: LocalPath?

  @Option(
    help: ArgumentHelp(
      "The path of the file in the repository. Messages contain it, and its name determines whether the file is a "
        + "model or an .xccurrentversion. Default: OURS.", valueName: "name"),
    completion: .file())
  var path: LocalPath?

  @Option(help: ArgumentHelp("The length of a conflict marker in characters.", valueName: "count"))
  var markerSize = 7

  @Option(help: ArgumentHelp("The name of our side in conflict markers.", valueName: "name"))
  var oursLabel = "ours"

  @Option(help: ArgumentHelp("The name of their side in conflict markers.", valueName: "name"))
  var theirsLabel = "theirs"

  func validate() throws {
    guard (1...1000).contains(markerSize) else {
      throw ValidationError("--marker-size must be a number from 1 to 1000")
    }
  }

  func run() throws {
    let name = path ?? ours
    let merge = FileMerge(
      path: name, base: try GivenFile.bytes(of: base), ours: try GivenFile.bytes(of: ours),
      theirs: try GivenFile.bytes(of: theirs),
      versions: GivenFile.versions(beside: name))
    let result = merge.result(
      MergeLabels(
        ours: Self.label(oursLabel, else: "ours"), theirs: Self.label(theirsLabel, else: "theirs"),
        markerSize: markerSize))
    try write(result.merge.bytes)
    Terminal.report(result.merge.notes)
    if let error = result.error { throw error }
    // Messages contain the path of the file with the conflict markers. Without --path, this is the output, not OURS.
    let written = path.map { "\($0)" } ?? output.map { "\($0)" } ?? MergeOutput.standard
    try MergeOutput.report(
      result.merge, of: name, writtenTo: written, isSameVersion: merge.isSameVersion)
  }

  /// Returns `label`, or `name` if the label is a placeholder of Git, which Git before 2.44 doesn't replace.
  private static func label(_ label: String, else name: String) -> String {
    ["%X", "%Y"].contains(label) ? name : label
  }

  private func write(_ bytes: [UInt8]) throws {
    guard let output else { return try GivenFile.print(bytes) }
    var files = FileChanges()
    files.add(bytes, at: output)
    try files.write()
  }
}

/// The messages of a merge.
enum MergeOutput {
  /// The name of standard output in messages.
  static let standard = "stdout"

  /// Prints the conflicts.
  ///
  /// - Parameters:
  ///   - name: The path in the repository.
  ///   - written: The name of the file with the conflict markers, or `standard`.
  ///   - isSameVersion: Whether both sides have added a version with the same name to a model.
  /// - Throws: `CheckFound` if there are conflicts.
  static func report(
    _ merge: ModelMerge.Result, of name: LocalPath, writtenTo written: String, isSameVersion: Bool
  ) throws {
    guard !merge.conflicts.isEmpty else { return }
    Terminal.report(
      merge.conflicts.map { conflict in
        var conflict = conflict
        conflict.place?.file = written
        return conflict
      })
    let count = merge.conflicts.count
    let marked = written == standard ? "the output" : "the file"
    Terminal.err.write("\(written): \(count) \("conflict".plural(count)), marked in \(marked)\n")
    if isSameVersion, let version = VersionName.ofModel(at: name) {
      let next = VersionName.next(after: version)
      Terminal.report([
        DiagnosticMessage(
          .note, "merge.same-version",
          "both sides have added different versions '\(version)'",
          help: [
            "to keep our version and create '\(next)' from theirs: storetool model renumber '\(version)' '\(next)'"
          ])
      ])
    }
    throw CheckFound()
  }
}
