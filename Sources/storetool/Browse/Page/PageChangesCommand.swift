import ArgumentParser
import StoreLayout
import RecordFormats
import StoreDiagnostics
import StoreEngine

/// `storetool page-changes`, for the page of `browse`: prints a line at the beginning, and whenever the store may have
/// changed. Each line contains a checksum of the store's version hashes, which differs after a migration.
struct PageChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-changes", _superCommandName: Storetool.name,
    abstract: "Send changes to the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var options: StoreOptions
  @Option var format: PageFormat?

  private struct Change: Encodable {
    let change: Int
    let model: String?
  }

  func run() throws {
    let path = try Workspace(options).storePath()
    var watch = try StoreWatch(path)
    var count = 0
    while true {
      if try watch.hasChanged() {
        let model = try watch.metadata().map { StoreChecksum.checksum(of: $0.hashes) }
        var line = ByteBuffer()
        line.append(line: Change(change: count, model: model))
        try OutputFile.standard.write(line.bytes)
        count += 1
      }
      try Signals.pause(50_000)
    }
  }
}
