import ArgumentParser
import ModelTools
import StoreDiagnostics
import StoreModelReader

/// `storetool model format`
struct ModelFormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Writes model files as Xcode does.",
    discussion: """
      Attributes and elements in Xcode's order, its indentation, quotes and line ends. No meaning changes, \
      and nothing is left out. Files that are as Xcode writes them stay untouched. With --check nothing \
      is written: the files that differ are listed, and the command exits 1 when there are any.

        storetool model format Models/Todo.xcdatamodeld
        storetool model format --check
      """)

  @Argument(
    help: ArgumentHelp(
      "Models, or folders with models.", discussion: "Default: Models/ in the working directory.",
      valueName: "path"),
    completion: .file())
  var paths: [FilePath] = []

  @Flag(help: "Only list the files that differ.")
  var check = false

  func run() throws {
    let bundles =
      paths.isEmpty
      ? try Workspace(modelPath: nil).bundles() : try paths.flatMap { try ModelBundle.find(at: $0) }
    let files = bundles.flatMap(\.versions).filter { $0.form == .xml }.map(\.path)
    var changes = FileChanges()
    var differing: [FilePath] = []
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
      "\(files.count.counted("file")), \(differing.count) \(check ? "not as Xcode writes them" : "written anew")\n"
    )
    if check, !differing.isEmpty { throw CheckFound() }
  }
}
