import SQLiteAccess
import StoreDiagnostics
import ArgumentParser

/// `storetool page-run`, which only `browse` starts. It runs one command, and is terminated if the server of `browse`
/// ends first.
struct PageRunCommand: ParsableCommand {
  static let name = "page-run"

  static let configuration = CommandConfiguration(
    commandName: name, _superCommandName: Storetool.name,
    abstract: "Run a command for the page of 'browse'.", shouldDisplay: false)

  @Option var format: PageFormat?

  /// Starts a command in a separate process, so that a damaged database page, or a request that is slow or uses a lot
  /// of memory, can't harm the server.
  static func start(_ words: [String]) throws(ChildProcessError) -> ChildProcess {
    // Because of `--format=ndjson`, the process prints its messages as JSON.
    let process = try ChildProcess(command: [name, "--format=ndjson"], leadsGroup: true)
    // The arguments of the command are sent through the channel, because all users of the system can read the arguments
    // of a process, and their length is limited.
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

  /// Ends the process if the server ends, because the results of its requests aren't needed any more.
  private func endWithServer(_ channel: ParentChannel) {
    _ = WorkerThread(named: "storetool.page") {
      while channel.receive() != nil {}
      // Also ends the processes that the command has started.
      Signals.endGroup()
    }
  }
}
