import ArgumentParser
import Hummingbird
import Logging

/// `TeaServer --folder /var/lib/tea --port 8080`
@main
struct TeaServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves the venues of BubbleTea.sqlite and the items of Todo.sqlite.",
    discussion: """
      Stores that are not there are made; those that an older version has left are migrated, with a \
      backup beside them. SIGTERM and SIGINT stop the server when its requests are answered.
      """)

  @Option(help: "Where the stores are.")
  var folder = "."

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen at; 0 for any that is free.")
  var port = 8080

  @Option(help: "The largest upload, in megabytes.")
  var uploadLimit = 100

  @Option(help: "What is logged: trace, debug, info, notice, warning, error, critical.")
  var logLevel = Logger.Level.info

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535") }
    guard uploadLimit > 0 else { throw ValidationError("--upload-limit is at least 1") }
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
