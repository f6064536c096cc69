import ArgumentParser
import ModelArchives
import StoreLayout
import StoreDiagnostics
import StoreModelReader
import ModelTools

/// `storetool model compile`
struct ModelCompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compiles a model to the .momd that an app loads.",
    discussion: """
      What Xcode's compiler makes, off a Mac: a .mom for each version, and VersionInfo.plist with \
      the current version and the hashes of all. The same model gives the same bytes. The folder is \
      not there yet, and appears whole or not at all. A version with a mistake stops the command; \
      with --model-version only that version is compiled.

        storetool model compile Models/Todo.xcdatamodeld --output Todo.momd
      """)

  @OptionGroup var model: ModelArgument

  @Option(
    name: .shortAndLong, help: ArgumentHelp("A .momd to make.", valueName: "folder"),
    completion: .directory)
  var output: FilePath

  func run() throws {
    let bundle = try model.workspace.onlyBundle()
    let only = try model.options.modelVersion.map { try bundle.version(named: $0) }
    let current = try only ?? bundle.requireCurrentVersion()
    var info = VersionInfo(currentVersion: current.name)
    let versions = try (only.map { [$0] } ?? bundle.versions).map { version in
      let reading = try version.read()
      info.hashes[version.name] = VersionHash.hashes(of: reading.model)
      return NewModelBundle.Version(name: version.name, bytes: try Self.archive(reading))
    }
    try NewModelBundle(compiledAt: output, versions: versions, info: info.bytes).write()
    let count = versions.count
    Terminal.err.write("\(output): \(count) \("version".plural(count)) compiled\n")
  }

  /// - Throws: `DiagnosticError` with all that an archive can't hold.
  private static func archive(_ reading: ModelReading) throws -> [UInt8] {
    let archive = EncodedModel(reading.model)
    guard archive.omissions.isEmpty else {
      throw DiagnosticError(
        archive.omissions.map { omission in
          reading.locate(
            Diagnostic(
              .error, "model.not-compiled", "the model can't be compiled: \(omission.reason)"),
            at: omission.part)
        })
    }
    return archive.bytes
  }
}
