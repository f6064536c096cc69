import ArgumentParser
import ModelTools
import RecordFormats
import StoreModel
import StoreModelReader

/// `storetool page-diagram`, for the page of `browse`: the model of the store as SVG, in a string of JSON.
struct PageDiagramCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-diagram", _superCommandName: Storetool.name,
    abstract: "Draws the model for the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func run() throws {
    let found = try Workspace(options, closest: closest).openStore(having: .nothing).found
    let svg = PlacedDiagram(
      ModelDiagram(of: found.model), title: found.model.name, frames: found.reading.frames
    ).text
    var out = ByteBuffer()
    out.append(json: svg)
    out.append("\n")
    try OutputFile.standard.write(out.bytes)
  }
}
