import ArgumentParser
import ModelTools
import StoreDiagnostics

/// `storetool model merge`
struct ModelMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges two versions of a model file by meaning.",
    discussion: """
      What only one side has changed is taken, and what both have changed alike is taken once; the text \
      stays as it is laid out. What is left to a person stands between markers, with a message for each, \
      and the command exits 1. BASE is what both came of; it is empty where both have added the file. An \
      .xccurrentversion is merged to the later version. As Git's merge driver:

        storetool model merge base.xml ours.xml theirs.xml > contents
        storetool model merge --output=%A --path=%P --marker-size=%L --ours-label=%X --theirs-label=%Y -- %O %A %B
      """)

  @Argument(help: "The file that both sides came of.", completion: .file())
  var base: FilePath

  @Argument(help: "Our version of it.", completion: .file())
  var ours: FilePath

  @Argument(help: "Their version of it.", completion: .file())
  var theirs: FilePath

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to write the result; may be OURS. Default: standard output.", valueName: "file"),
    completion: .file())
  var output: FilePath?

  @Option(
    help: ArgumentHelp(
      "What the file is called in the repository, for messages. Default: OURS.", valueName: "name"),
    completion: .file())
  var path: FilePath?

  @Option(help: ArgumentHelp("How many characters a marker has.", valueName: "count"))
  var markerSize = 7

  @Option(help: ArgumentHelp("What our side is called.", valueName: "name"))
  var oursLabel = "ours"

  @Option(help: ArgumentHelp("What their side is called.", valueName: "name"))
  var theirsLabel = "theirs"

  func validate() throws {
    guard (1...1000).contains(markerSize) else {
      throw ValidationError("--marker-size is from 1 to 1000")
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
    try MergeOutput.report(result.merge, of: name, isSameVersion: merge.isSameVersion)
  }

  /// Git before 2.44 leaves the words for labels as they are.
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

/// What a merge says.
enum MergeOutput {
  /// - Throws: `CheckFound` where something is left to a person.
  static func report(_ merge: ModelMerge.Result, of name: FilePath, isSameVersion: Bool) throws {
    guard !merge.conflicts.isEmpty else { return }
    Terminal.report(merge.conflicts)
    let count = merge.conflicts.count
    Terminal.err.write("\(name): \(count) \("conflict".plural(count)), between markers\n")
    if isSameVersion, let version = VersionName.ofModel(at: name) {
      let next = VersionName.next(after: version)
      Terminal.report([
        Diagnostic(
          .note, "merge.same-version",
          "both sides have added the version '\(version)', and not the same",
          help: [
            "storetool model renumber '\(version)' '\(next)' keeps ours, and makes '\(next)' of what theirs has changed"
          ])
      ])
    }
    throw CheckFound()
  }
}
