import SQLiteAccess
import StoreDiagnostics
import ArgumentParser

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `storetool page-run`, which only `browse` starts: runs a command for as long as the server is there.
struct PageRunCommand: ParsableCommand {
  static let name = "page-run"

  static let configuration = CommandConfiguration(
    commandName: name, _superCommandName: Storetool.name,
    abstract: "Run a command for the page of 'browse'.", shouldDisplay: false)

  @Option var format: PageFormat?

  /// Starts a command in a process. A damaged page, a request that lasts, or the memory that it takes then can't harm
  /// the server.
  static func start(_ words: [String]) throws(ChildProcessError) -> ChildProcess {
    // Messages are written in this format.
    let process = try ChildProcess(command: [name, "--format=ndjson"], leadsGroup: true)
    // Every user of the system can read the arguments of a process, and their length is limited.
    process.send(Array(words.joined(separator: "\0").utf8))
    return process
  }

  func run() throws {
    let channel = ParentChannel()
    let words = (channel.receive() ?? []).split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    endWithServer(channel)
    do {
      var command = try Storetool.command(of: words[...])
      try command.run()
    } catch {
      throw ParsingError(error: error, words: words)
    }
  }

  /// Without the server no one waits for a request that lasts, or that watches the store.
  private func endWithServer(_ channel: ParentChannel) {
    _ = WorkerThread(named: "storetool.page") {
      while channel.receive() != nil {}
      // Ends the processes that the command has started, too.
      kill(0, SIGTERM)
    }
  }
}
