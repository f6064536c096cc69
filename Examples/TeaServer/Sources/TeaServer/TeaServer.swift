import ArgumentParser
import Hummingbird
import Logging

/// The command `TeaServer --folder /var/lib/tea --port 8080`.
@main
struct TeaServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the venues of BubbleTea.sqlite and the items of Todo.sqlite.",
    discussion: """
      Missing stores are created. Stores of an older version are migrated, with a backup beside \
      them. SIGTERM and SIGINT shut the server down after its running requests are answered.
      """)

  @Option(help: "The folder with the stores.")
  var folder = "."

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 chooses a free port.")
  var port = 8080

  @Option(help: "The maximum size of an upload in megabytes.")
  var uploadLimit = 100

  @Option(help: "The log level: trace, debug, info, notice, warning, error, critical.")
  var logLevel = Logger.Level.info

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535") }
    guard uploadLimit > 0 else { throw ValidationError("--upload-limit must be at least 1") }
  }

  func run() async throws {
    var logger = Logger(label: "tea")
    logger.logLevel = logLevel
    let settings = Settings(
      folder: folder, address: .hostname(host, port: port), uploadLimit: uploadLimit << 20)
    try await teaApplication(settings, logger: logger).runService()
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
