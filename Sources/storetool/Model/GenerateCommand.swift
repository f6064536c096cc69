import RecordFormats
import StoreDiagnostics
import ArgumentParser
import StoreCodegen
import StoreLayout
import StoreModelReader

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", _superCommandName: Storetool.name,
    abstract: "Generate Swift types from a model.",
    discussion: """
      For each entity, the result contains a structure, whose key paths and object IDs are typed. It also contains a \
      function for each fetch-request template, and a type such as TodoModel, with which a program opens stores. With \
      these types, the compiler checks the requests of a program (see docs/swift.md). For apps on Apple's platforms, \
      --style generates classes instead: managed-objects for Core Data, or swift-data for SwiftData. swift-data with \
      --all-versions generates versioned schemas with a migration plan. Files are written only if they change. With \
      --check, no files are written, and the exit status is 1 if any file would change.

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
      "The folder for the files <Model>Model.swift. '-' is standard output.",
      valueName: "folder"),
    completion: .directory)
  var output: LocalPath = "-"

  @Option(
    help: """
      The generated types: structures for storetool's Swift libraries, subclasses of NSManagedObject, or classes \
      with @Model.
      """)
  var style = SourceStyle.types

  @Flag(
    help: """
      Also generate the types of each version, in a namespace per version (TodoV1.Item). The code also contains the \
      existing migration definitions or, for swift-data, a migration plan. Not available for managed-objects.
      """)
  var allVersions = false

  @OptionGroup var migrations: MigrationsOption

  @Option(help: "The access level of the generated code.")
  var access = AccessLevel.internal

  @Flag(
    help: """
      The structures and enumerations of the style 'types' conform to Codable. They take 30 to 50 % longer to compile.
      """)
  var codable = false

  @Flag(help: "Compare the files with the generated code without writing them.")
  var check = false

  @OptionGroup var overwriting: OverwritingOption

  func validate() throws {
    if check && output == "-" {
      throw ValidationError("--check requires --output")
    }
    if codable && style != .types {
      throw ValidationError("--codable requires --style types")
    }
    if allVersions && style == .managedObjects {
      throw ValidationError(
        "an app has only one class per entity: omit --all-versions, or choose the version with "
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
      GeneratedFile(path: output.appending(LocalPath($0.fileName)), text: $1.text)
    }
    if check { return try compare(files) }
    for file in files { try overwriting.write(file) }
  }

  /// Returns a compiler for each available model. Several models are an error if the output is standard output.
  private func compilers() throws -> [ModelCompiler] {
    let version = model.options.modelVersion
    let workspace = model.workspace
    let bundles = try workspace.bundles()
    guard output != "-" || bundles.count == 1 else {
      throw workspace.severalModels(bundles)
    }
    return try bundles.map { bundle in
      ModelCompiler(
        bundle, version: try version.map { try bundle.version(named: $0) },
        includesAllVersions: allVersions, migrations: migrations.folder(of: bundle),
        access: access, style: style, isCodable: codable, hashing: VersionHash.hashes(of:))
    }
  }

  private func compare(_ files: [GeneratedFile]) throws {
    let differences = files.compactMap(\.difference)
    try FindingWriter(format: .own(.text)).print(
      differences,
      summary: "\(files.count.counted("generated file")), \(differences.count) out of date")
    guard differences.isEmpty else { throw CheckFound() }
  }
}

extension AccessLevel: ExpressibleByArgument {}
extension SourceStyle: ExpressibleByArgument {}
