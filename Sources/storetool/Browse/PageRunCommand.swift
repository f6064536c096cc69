import StoreDiagnostics
import ArgumentParser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
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
  /// A pipe that the server holds the other end of.
  static let lifeline: Int32 = 3
  /// A file with the words of the command, NUL between them.
  static let words: Int32 = 4

  static let configuration = CommandConfiguration(
    commandName: name, _superCommandName: Storetool.name,
    abstract: "Runs a command for the page of 'browse'.", shouldDisplay: false)

  @Option var format: PageFormat?

  func run() throws {
    let words = Self.readWords()
    _ = fcntl(Self.lifeline, F_SETFD, FD_CLOEXEC)
    try closeOthers()
    endWithServer()
    do {
      var command = try Storetool.command(of: words[...])
      try command.run()
    } catch {
      throw ParsingError(error: error, words: words)
    }
  }

  private static func readWords() -> [String] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(words, &buffer, buffer.count), count != 0 {
      if count > 0 { bytes += buffer.prefix(count) } else if errno != EINTR { break }
    }
    return bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The server's connections, and the pipes of commands beside this one, would stay open for as long as it runs.
  private func closeOthers() throws {
    let descriptors: FilePath = "/dev/fd"
    let open = try descriptors.names().compactMap { Int32("\($0)") }
    for descriptor in open where descriptor > Self.lifeline { close(descriptor) }
  }

  /// A request that lasts, or that watches the store, has nobody to wait for it when the server is gone.
  private func endWithServer() {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    pthread_create(
      &thread, nil,
      { _ in
        var byte: UInt8 = 0
        while read(PageRunCommand.lifeline, &byte, 1) < 0, errno == EINTR {}
        // And the processes that it has started.
        kill(0, SIGTERM)
        return nil
      }, nil)
  }
}
