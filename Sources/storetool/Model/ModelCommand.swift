import ArgumentParser
import ModelArchives
import ModelTools
import RecordFormats
import StoreDiagnostics
import StoreLayout
import StoreModel
import StoreModelReader

/// `storetool model …`: commands for models without a store.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", _superCommandName: Storetool.name,
    abstract: "Check, show and compare models.",
    discussion: """
      These commands don't require a store. Use them for models in version control, and in CI.

        storetool model check
        storetool model hash Models/Todo.xcdatamodeld
        storetool model diff Todo 'Todo 2'
      """,
    subcommands: CommandRow.subcommands(of: Self.self))
}

/// The model of a command, as an argument or as `--model`. It can be an argument in commands without other arguments.
struct ModelArgument: ParsableArguments {
  @Argument(
    help: "The model. The same as --model.", completion: .file())
  var path: LocalPath?

  @OptionGroup var options: ModelOptions

  func validate() throws {
    if path != nil && options.model != nil {
      throw ValidationError("specify the model only once: as an argument or with --model")
    }
  }

  var workspace: Workspace {
    Workspace(modelPath: path ?? options.model, modelVersion: options.modelVersion)
  }
}

struct ModelHashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Print the version hash of each entity.",
    discussion: """
      The hashes are equal to those that Core Data writes to a store, in base64.

        storetool model hash Models/Todo.xcdatamodeld --model-version 'Todo 2'
      """)

  @OptionGroup var model: ModelArgument
  @OptionGroup var format: FormatOptions

  func run() throws {
    let model = try model.workspace.currentModel().model
    let hashes = VersionHash.hashes(of: model)
    let records = model.entities.map { Record(entity: $0.name, hash: hashes[$0.name]?.base64) }
    try FactWriter(format).print(.records(columns: ["entity", "hash"], records))
    for note in VersionHash.notes(on: model) { Terminal.note(note.message, code: "hash.assumed") }
  }

  private struct Record: Encodable {
    let entity: String
    let hash: String?
  }
}

extension [UInt8] {
  /// The bytes in base64 (RFC 4648), with padding.
  var base64: String {
    var out = ByteBuffer()
    withUnsafeBufferPointer { out.append(base64: $0) }
    return out.text
  }
}

struct ModelShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the content of a model version.",
    discussion: """
      The output contains the entities with their attributes, relationships, indexes and constraints, the \
      fetch-request templates, the composites and the configurations. A property is listed with the entity that \
      declares it. --format outline prints one line for each element. 'git diff' uses it after 'git install'. If \
      the file can't be read as a model, --format outline prints the file itself, with a note.

        storetool model show Models/Company.xcdatamodeld
        storetool model show Models/Company.xcdatamodeld --format json
        storetool model show Models/Company.xcdatamodeld --format outline
      """)

  @OptionGroup var model: ModelArgument

  @Option(help: "The output format. Default: table on a terminal, otherwise ndjson.")
  var format: CommandFormat<ShowFormat>?

  @OptionGroup var table: TableOptions

  func run() throws {
    switch format ?? .facts(.standard) {
    case .own(.outline): try writeOutline()
    case .facts(let format):
      let facts = ModelFacts(of: try model.workspace.currentModel())
      try FactWriter(format, table.style).print(.page(facts))
    }
  }

  private func writeOutline() throws {
    let version = try model.workspace.currentVersion()
    do {
      try OutputFile.standard.write(ModelOutline(of: version.read().model).text)
    } catch let error as any DiagnosableError {
      // The file itself is shown, because `git diff` would stop after an error, and the file of an old revision can't
      // be fixed.
      guard let bytes = try version.rawBytes() else { throw error }
      Terminal.report(
        error.diagnostics.prefix(1).map {
          var note = $0.asNote("the file is shown as it is")
          (note.help, note.excerpt) = ([], nil)
          return note
        })
      try bytes.withUnsafeBufferPointer(OutputFile.standard.write)
    }
  }
}

struct ModelCompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compile a model to a .momd, which an app loads.",
    discussion: """
      The result is equivalent to that of Xcode's compiler: a .mom for each version, and VersionInfo.plist with \
      the current version and all hashes. The same model always produces the same bytes. The folder must not \
      exist. Either the complete folder is created or nothing. If a version has an error, the command fails. \
      --model-version compiles only one version.

        storetool model compile Models/Todo.xcdatamodeld --output Todo.momd
      """)

  @OptionGroup var model: ModelArgument

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The .momd to create.", valueName: "folder"),
    completion: .directory)
  var output: LocalPath

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
    Terminal.err.write("\(output): \(versions.count.counted("version")) compiled\n")
  }

  /// - Throws: `DiagnosticError` with all elements that an archive can't contain.
  private static func archive(_ reading: ModelReading) throws -> [UInt8] {
    let archive = EncodedModel(reading.model)
    guard archive.omissions.isEmpty else {
      throw DiagnosticError(
        archive.omissions.map { omission in
          reading.locate(
            DiagnosticMessage(
              .error, "model.not-compiled", "the model can't be compiled: \(omission.reason)"),
            at: omission.part)
        })
    }
    return archive.bytes
  }
}

struct ModelDecompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decompile",
    abstract: "Write a model as XML that Xcode can edit.",
    discussion: """
      The argument is an XML or compiled model (an .xcdatamodeld, a .momd, a .mom or an app's folder) or a store. \
      For a store, the result is the model that the store contains, or a model inferred from its tables, with \
      a comment at each guess. Standard output contains the specified or current version. --output creates a \
      bundle with all versions, or with the specified one. The folder must not exist, and either the complete \
      folder is created or nothing. The positions in Xcode's diagram are omitted.

        storetool model decompile Models/Todo.xcdatamodeld
        storetool model decompile Todo.app --output Todo.xcdatamodeld
        storetool model decompile Todo.sqlite
      """)

  @OptionGroup var model: ModelArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The .xcdatamodeld to create. '-' is standard output.", valueName: "folder"),
    completion: .directory)
  var output: LocalPath = "-"

  func run() throws {
    if output == "-" {
      let text = try text(of: model.workspace.currentModel().version)
      return try OutputFile.standard.write(text + "\n")
    }
    let bundle = try newBundle()
    try bundle.write()
    Terminal.err.write("\(bundle.path): \(bundle.versions.count.counted("version")) written\n")
  }

  private func text(of version: ModelVersion) throws -> String {
    let reading = try version.read()
    Terminal.report(reading.diagnostics)
    var (note, comments) = ([String](), [ModelPart: String]())
    for doubt in reading.doubts {
      if let part = doubt.part {
        comments[part] = [comments[part], doubt.text].compactMap { $0 }.joined(separator: "\n")
      } else {
        note.append(doubt.text)
      }
    }
    return try ModelXML.text(
      of: reading.model, note: note.isEmpty ? nil : note.joined(separator: "\n"),
      comments: comments)
  }

  private func newBundle() throws -> NewModelBundle {
    let bundle = try model.workspace.onlyBundle()
    let only = try model.options.modelVersion.map { try bundle.version(named: $0) }
    let versions = try (only.map { [$0] } ?? bundle.versions).map { version in
      NewModelBundle.Version(name: version.name, text: try text(of: version))
    }
    return try NewModelBundle(
      at: output, versions: versions, current: (only ?? bundle.currentVersion)?.name)
  }
}
