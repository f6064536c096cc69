import Foundation
import TestSupport

/// The compiler with modules in place of Core Data and SwiftData, which are in `Stubs`.
struct AppleCompiler: Sendable {
  enum Framework: String, Sendable {
    case coreData, swiftData
  }

  /// The modules are compiled once for all tests.
  static let shared = Result { try AppleCompiler() }

  private let folder: TemporaryFolder

  private static let stubs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Stubs")

  /// Swift on Linux doesn't support Objective-C, but its compiler can check it.
  private static let objectiveC = [
    "-Xfrontend", "-enable-objc-interop", "-Xfrontend",
    "-disable-objc-attr-requires-foundation-module", "-I", stubs.path + "/Objects",
  ]

  private init() throws {
    folder = try TemporaryFolder()
    for framework in ["coreData", "swiftData"] {
      let url = folder.url.appendingPathComponent(framework)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    for module in ["Foundation", "CoreData"] {
      try build(module, in: .coreData)
    }
    try run(["-o", plugin, "\(Self.stubs.path)/SwiftData/StubMacros.swift"])
    try build("SwiftData", in: .swiftData)
  }

  private var plugin: String { folder.url.appendingPathComponent("StubMacros").path }

  private func flags(for framework: Framework) -> [String] {
    let search = ["-I", folder.url.appendingPathComponent(framework.rawValue).path]
    return switch framework {
    case .coreData: search + Self.objectiveC
    case .swiftData: search + ["-load-plugin-executable", plugin + "#StubMacros"]
    }
  }

  private func build(_ module: String, in framework: Framework) throws {
    let output = folder.url.appendingPathComponent("\(framework.rawValue)/\(module).swiftmodule")
    try run(
      ["-emit-module", "-parse-as-library", "-module-name", module, "-o", output.path]
        + flags(for: framework) + ["\(Self.stubs.path)/\(module)/\(module).swift"])
  }

  /// Type-checks the sources as files of one module, with the strictest settings.
  ///
  /// - Throws: `CompilerErrors`
  func check(_ sources: [AppleSource], for framework: Framework) throws {
    let place = try TemporaryFolder()
    let paths = try sources.enumerated().flatMap { index, source in
      let files = ["\(index)-\(source.name)": source.text, "\(index)-own.swift": source.own]
      return try files.map { name, text in
        let url = place.url.appendingPathComponent(name)
        try text.write(to: url, atomically: true, encoding: .utf8)
        return url.path
      }
    }
    try run(
      ["-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-name", "App"]
        + flags(for: framework) + paths)
  }

  private func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CompilerErrors(text: output) }
  }
}

/// The errors of the compiler.
struct CompilerErrors: Error, CustomStringConvertible {
  var text: String

  var description: String {
    text.split(separator: "\n").filter { $0.contains("error:") }.prefix(10).joined(separator: "\n")
  }
}
