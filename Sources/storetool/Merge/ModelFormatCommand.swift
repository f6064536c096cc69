import ArgumentParser
import ModelTools
import StoreDiagnostics
import StoreModelReader

struct ModelFormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Format model files as Xcode writes them.",
    discussion: """
      The order of attributes and elements, the indentation, the quotes and the line ends become those of Xcode. \
      The content doesn't change. Files that Xcode has written aren't changed. The output lists the files that \
      differ from Xcode's format. With --check, these files aren't written, and the exit status is 1 if there \
      are any.

        storetool model format Models/Todo.xcdatamodeld
        storetool model format --check
      """)

  @Argument(
    help: ArgumentHelp(
      "Models, or folders with models.", discussion: ModelOptions.defaultModel,
      valueName: "path"),
    completion: .file())
  var paths: [LocalPath] = []

  @Flag(help: "List the files that differ without writing them.")
  var check = false

  func run() throws {
    let bundles =
      paths.isEmpty
      ? try Workspace(modelPath: nil).bundles() : try paths.flatMap { try ModelBundle.find(at: $0) }
    let files = bundles.flatMap(\.versions).filter { $0.form == .xml }.map(\.path)
    var changes = FileChanges()
    var differing: [LocalPath] = []
    for file in files {
      let bytes = try GivenFile.bytes(of: file)
      let formatted = try ModelText(model: bytes, of: "\(file)").formatted.bytes
      guard formatted != bytes else { continue }
      differing.append(file)
      changes.add(formatted, at: file)
    }
    if !check { try changes.write() }
    try GivenFile.print(differing.flatMap { $0.bytes + [UInt8(ascii: "\n")] })
    Terminal.err.write(
      "\(files.count.counted("file")), \(differing.count) \(check ? "not in Xcode's format" : "rewritten")\n"
    )
    if check, !differing.isEmpty { throw CheckFound() }
  }
}
