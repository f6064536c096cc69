import Foundation
import PackagePlugin

/// Models on disk, and the commands that compile them.
enum ModelFolder {
  /// Beside the target's sources; may be absent.
  static let settingsName = "storetool-generate.json"
  /// Definitions of migrations, in the target's folder; may be absent.
  static let migrationsName = "Migrations"

  private static let compiledExtensions: Set = ["momd", "mom"]

  static func isModel(_ url: URL) -> Bool {
    ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) || isCompiled(url)
  }

  private static func isCompiled(_ url: URL) -> Bool {
    compiledExtensions.contains(url.pathExtension)
  }

  /// Without the compiled models whose XML is there as well.
  private static func withoutCopies(_ models: [URL]) -> [URL] {
    let written = Set(models.filter { !isCompiled($0) }.map(name))
    return models.filter { !isCompiled($0) || !written.contains(name($0)) }
  }

  private static func name(_ model: URL) -> String {
    model.deletingPathExtension().lastPathComponent
  }

  /// Bundles, and versions that are in none, however deep.
  static func models(in folder: URL) -> [URL] {
    let entries =
      (try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)) ?? []
    return entries.sorted { $0.path < $1.path }.flatMap { entry in
      if isModel(entry) { return [entry.resolvingSymlinksInPath()] }
      return isFolder(entry) ? models(in: entry) : []
    }
  }

  /// One command for each model, which runs when one of the model's files has changed.
  static func commands(
    for models: [URL], settings: URL?, migrations: URL?, tool: URL, output: URL, target: String
  ) -> [Command] {
    if models.isEmpty {
      Diagnostics.error(
        "the target '\(target)' has no model in its folder: .xcdatamodeld, .xcdatamodel, .momd, .mom"
      )
    }
    let settings = settings.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
    let migrations = migrations.flatMap { isFolder($0) ? $0 : nil }
    let definitions = migrations.map(files) ?? []
    let options = [settings?.path ?? "-"] + (migrations.map { [$0.path] } ?? [])
    var seen: [String: URL] = [:]
    return withoutCopies(models).compactMap { model in
      let name = name(model)
      if let other = seen.updateValue(model, forKey: name) {
        Diagnostics.error("two models are named '\(name)': '\(other.path)' and '\(model.path)'")
        return nil
      }
      let source = output.appending(path: "\(name)Model.swift")
      return .buildCommand(
        displayName: "Generating Swift types of \(model.lastPathComponent)", executable: tool,
        arguments: [model.path, source.path] + options,
        inputFiles: files(in: model) + (settings.map { [$0] } ?? []) + definitions,
        outputFiles: [source])
    }
  }

  /// The folder that a file of a definition is for: `Migrations` of `Migrations/Shop/Shop 2--Shop 3.xml`.
  static func migrations(around file: URL) -> URL? {
    let folder = file.deletingLastPathComponent().deletingLastPathComponent()
    return folder.lastPathComponent == migrationsName ? folder : nil
  }

  /// `.xccurrentversion` is a hidden one.
  private static func files(in model: URL) -> [URL] {
    guard isFolder(model) else { return [model] }
    let all = FileManager.default.enumerator(at: model, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).filter { !isFolder($0) }
      .sorted { $0.path < $1.path }
  }

  private static func isFolder(_ url: URL) -> Bool {
    // The values of a symbolic link are those of the link.
    let values = try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey])
    return values?.isDirectory == true
  }
}
