import RecordFormats
import StoreDiagnostics
import ArgumentParser
import StoreCodegen
import StoreLayout
import StoreModelReader

/// `storetool generate`
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", _superCommandName: Storetool.name,
    abstract: "Writes the Swift types of a model's entities and templates.",
    discussion: """
      A structure for each entity, with typed key paths and object IDs, a function for each \
      fetch-request template, and the model as a value: what typed requests are written with. For \
      apps of Apple's platforms --style writes classes instead: managed-objects for Core Data, \
      swift-data for SwiftData, with --all-versions as versioned schemas with a migration plan. Files \
      are written only when they change; with --check nothing is written, and the exit status is 1 \
      where something would be.

        storetool generate Models/Todo.xcdatamodeld
        storetool generate --output Sources/App/Generated
        storetool generate --output Sources/App/Generated --check
        storetool generate Models/Todo.xcdatamodeld --style managed-objects
        storetool generate Models/Todo.xcdatamodeld --style swift-data --all-versions
      """)

  @OptionGroup var model: ModelArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "A folder; each model becomes <Model>Model.swift in it. '-' is standard output.",
      valueName: "folder"),
    completion: .directory)
  var output: FilePath = "-"

  @Option(
    help: """
      What is written: structures for this package's libraries, subclasses of NSManagedObject, or \
      classes with @Model.
      """)
  var style = SourceStyle.types

  @Flag(
    help:
      "All versions as well, each in a namespace of its own (TodoV1.Item), and the migrations.")
  var allVersions = false

  @OptionGroup var migrations: MigrationsOption

  @Option(help: "Who sees what is generated.")
  var access = AccessLevel.internal

  @Flag(help: "Compare the files with what would be generated, and write nothing.")
  var check = false

  @OptionGroup var overwriting: OverwritingOption

  func validate() throws {
    if check && output == "-" {
      throw ValidationError("--check needs --output, the folder whose files are compared")
    }
    if allVersions && style == .managedObjects {
      throw ValidationError(
        "an app has one class for an entity: leave out --all-versions, or choose the version with "
          + "--model-version")
    }
  }

  func run() throws {
    let compilers = try compilers()
    let compiled = try compilers.map { try $0.compile() }
    Terminal.report(compiled.flatMap(\.diagnostics))
    if output == "-" {
      for model in compiled { try OutputFile.standard.write(model.text) }
      return
    }
    let files = zip(compilers, compiled).map {
      GeneratedFile(path: output.appending(FilePath($0.fileName)), text: $1.text)
    }
    if check { return try compare(files) }
    for file in files {
      Terminal.err.write("\(file.path): \(try overwriting.write(file) ? "written" : "unchanged")\n")
    }
  }

  /// All the models at hand; for standard output the only one.
  private func compilers() throws -> [ModelCompiler] {
    let version = model.options.modelVersion
    let bundles = try model.workspace.bundles()
    guard output != "-" || bundles.count == 1 else {
      throw DiscoveryError.severalModels(bundles.map(\.path))
    }
    return try bundles.map { bundle in
      ModelCompiler(
        bundle, version: try version.map { try bundle.version(named: $0) },
        includesAllVersions: allVersions, migrations: migrations.folder(of: bundle),
        access: access, style: style, hashing: VersionHash.hashes(of:))
    }
  }

  private func compare(_ files: [GeneratedFile]) throws {
    let differences = files.compactMap(\.difference)
    try FindingWriter(format: .text).print(
      differences,
      summary: "\(files.count.counted("generated file")), \(differences.count) out of date")
    guard differences.isEmpty else { throw CheckFound() }
  }
}

extension AccessLevel: ExpressibleByArgument {}
extension SourceStyle: ExpressibleByArgument {}
