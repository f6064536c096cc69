import RecordFormats
import ArgumentParser
import StoreDiagnostics
import StoreModel
import StoreModelReader
import ModelTools

/// `storetool model decompile`
struct ModelDecompileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decompile",
    abstract: "Writes a model as the XML that Xcode edits.",
    discussion: """
      The model may be XML or compiled (an .xcdatamodeld, a .momd, a .mom, an app's folder), or a \
      store: then it is the model that the store carries, or one that its tables show, with a \
      comment at each guess. On standard output the version that is named, else the current one. \
      With --output a bundle with all versions, or with the one that is named: a folder that is \
      not there yet, which appears whole or not at all. Positions in Xcode's diagram are left out, since only XML has \
      them, and so is what was written for some tool alone.

        storetool model decompile Models/Todo.xcdatamodeld
        storetool model decompile Todo.app --output Todo.xcdatamodeld
        storetool model decompile Todo.sqlite
      """)

  @OptionGroup var model: ModelArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "An .xcdatamodeld to make. '-' is standard output.", valueName: "folder"),
    completion: .directory)
  var output: FilePath = "-"

  func run() throws {
    if output == "-" {
      let text = try text(of: model.workspace.currentModel().version)
      return try OutputFile.standard.write(text + "\n")
    }
    let bundle = try newBundle()
    try bundle.write()
    let count = bundle.versions.count
    Terminal.err.write("\(bundle.path): \(count) \("version".plural(count)) written\n")
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
