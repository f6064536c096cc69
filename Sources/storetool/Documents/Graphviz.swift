import Foundation
import StoreDiagnostics
import Synchronization

/// The program `dot` of Graphviz, which lays out pictures.
struct Graphviz {
  let path: String

  /// The one in `PATH`.
  static var installed: Graphviz? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/dot" }.first(where: FileManager.default.isExecutableFile(atPath:))
      .map(Graphviz.init)
  }

  /// - Throws: `GraphvizError`
  func svg(of text: String) throws -> String {
    let (process, input, output, errors) = (Process(), Pipe(), Pipe(), Pipe())
    process.executableURL = URL(filePath: path)
    process.arguments = ["-Tsvg"]
    (process.standardInput, process.standardOutput, process.standardError) =
      (input, output, errors)
    do {
      try process.run()
    } catch {
      throw GraphvizError.notStarted(path: path, reason: error.localizedDescription)
    }
    // Each stream has its thread, so that none fills up while another one is waited for.
    let messages = Mutex(Data())
    let others = DispatchGroup()
    let queue = DispatchQueue.global()
    queue.async(group: others) {
      // A program that ends early says why on its other streams.
      input.fileHandleForWriting.write(ignoringClosed: Data(text.utf8))
    }
    queue.async(group: others) {
      let data = errors.fileHandleForReading.readDataToEndOfFile()
      messages.withLock { $0 = data }
    }
    let picture = output.fileHandleForReading.readDataToEndOfFile()
    others.wait()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw GraphvizError.failed(
        path: path, status: process.terminationStatus,
        message: String(decoding: messages.withLock { $0 }, as: UTF8.self))
    }
    return String(decoding: picture, as: UTF8.self)
  }
}

extension FileHandle {
  fileprivate func write(ignoringClosed data: Data) {
    do {
      try write(contentsOf: data)
      try close()
    } catch {
      return
    }
  }
}

/// Why there is no picture.
enum GraphvizError: DiagnosableError, Hashable {
  /// And the model says nothing of where its entities are.
  case notInstalled
  case notStarted(path: String, reason: String)
  case failed(path: String, status: Int32, message: String)

  var diagnostics: [Diagnostic] {
    switch self {
    case .notInstalled:
      [
        Diagnostic(
          .error, "diagram.no-graphviz",
          """
          an SVG needs Graphviz's 'dot', which is not in PATH, since the model does not say where \
          its entities are drawn
          """, cause: .notFound,
          help: [
            "install it: apt-get install graphviz, dnf install graphviz or brew install graphviz",
            "--format mermaid and --format dot do without",
          ])
      ]
    case .notStarted(let path, let reason):
      [
        Diagnostic(
          .error, "diagram.graphviz", "'\(path)' can't be started: \(reason)",
          cause: .inputOutput)
      ]
    case .failed(let path, let status, let message):
      [
        Diagnostic(
          .error, "diagram.graphviz",
          "'\(path)' ended with status \(status)", cause: .inputOutput,
          help: message.split(separator: "\n").prefix(5).map { "it says: \($0)" })
      ]
    }
  }
}
