import ArgumentParser
import RecordFormats
import StoreDiagnostics
import StoreEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `storetool page-changes`, for the page of `browse`: a line each time that somebody has written to the store.
struct PageChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-changes", _superCommandName: Storetool.name,
    abstract: "Tells the page of 'browse' of changes.", shouldDisplay: false)

  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  /// Between two looks, in microseconds.
  private static let pause: UInt32 = 50_000

  func run() throws {
    let path = try Workspace(options).storePath()
    var watch = try StoreWatch(path)
    var count = 0
    while true {
      if try watch.hasChanged() {
        try OutputFile.standard.write(line: "{\"change\":\(count)}")
        count += 1
      }
      usleep(Self.pause)
      try Cancellation.ofProcess.check()
    }
  }
}
