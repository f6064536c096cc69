public import Foundation

/// Runs lines of a shell with the built `storetool` as the first one in `PATH`.
public struct BuiltCommand: Sendable {
  /// The output and the status of a command.
  public struct Result: Sendable {
    public var output: String
    public var errors: String
    public var status: Int32
  }

  /// The folder of the built program: beside the test bundle, or `.build/debug`.
  public static let folder: URL = {
    if let named = ProcessInfo.processInfo.environment["STORETOOL_BINARY_FOLDER"] {
      return URL(fileURLWithPath: named)
    }
    let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let isBeside = FileManager.default.isExecutableFile(
      atPath: beside.appendingPathComponent("storetool").path)
    return isBeside ? beside : repository.appendingPathComponent(".build/debug")
  }()

  /// The folder of the package.
  public static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Ignores the machine's settings, and specifies the user who commits.
  private static let gitSettings = [
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.com",
    "GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@example.com",
  ]

  public var workingDirectory: URL
  public var environment: [String: String]

  public init(in workingDirectory: URL, environment: [String: String] = [:]) {
    self.workingDirectory = workingDirectory
    self.environment = environment
  }

  /// Runs a line of bash. Its streams are files, because a pipe could become full.
  public func run(_ line: String, input: String? = nil) throws -> Result {
    let folder = try TemporaryFolder()
    try folder.write(input ?? "", to: "in")
    try folder.write("", to: "out")
    try folder.write("", to: "err")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = workingDirectory
    let inherited = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("STORETOOL_") && !$0.key.hasPrefix("GIT_") }
    process.environment = inherited.merging(Self.gitSettings) { $1 }.merging(environment) { $1 }
      .merging([
        "PATH": Self.folder.path + ":" + (inherited["PATH"] ?? "/usr/bin:/bin"), "TZ": "UTC",
        "LC_ALL": "C",
      ]) { $1 }
    process.standardInput = try FileHandle(
      forReadingFrom: folder.url.appendingPathComponent("in"))
    process.standardOutput = try FileHandle(
      forWritingTo: folder.url.appendingPathComponent("out"))
    process.standardError = try FileHandle(
      forWritingTo: folder.url.appendingPathComponent("err"))
    try process.run()
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      String(
        decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
    }
    return Result(
      output: try text("out"), errors: try text("err"), status: process.terminationStatus)
  }
}
