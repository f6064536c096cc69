import Foundation

/// The sqlite3 shell with an open database, which is another process.
///
/// SQLite shares a `-shm` between the connections of one process, so a second connection of this
/// process couldn't show the effects of a reader on the files of a writer.
public final class SQLiteShell {
  public static let executable = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/sqlite3" }
    .first(where: FileManager.default.isExecutableFile(atPath:))

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Runs `sql`, and returns after it has ended. The shell keeps running.
  public init(_ path: String, _ sql: String) throws {
    process.executableURL = URL(fileURLWithPath: Self.executable ?? "/usr/bin/sqlite3")
    process.arguments = [path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("\(sql);\n.print ready\n".utf8))
    var said = Data()
    while !said.contains(Data("ready\n".utf8)) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      said += more
    }
  }

  public func close() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

extension Data {
  fileprivate func contains(_ other: Data) -> Bool { range(of: other) != nil }
}
