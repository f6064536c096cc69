import Foundation
import PackagePlugin

/// The models in a folder, and the commands that compile them.
enum ModelFolder {
  /// The name of an optional file beside the target's sources.
  static let settingsName = "storetool-generate.json"
  /// The name of an optional folder with definitions of migrations, in the target's folder.
  static let migrationsName = "Migrations"

  private static let compiledExtensions: Set = ["momd", "mom"]

  static func isModel(_ url: URL) -> Bool {
    ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) || isCompiled(url)
  }

  private static func isCompiled(_ url: URL) -> Bool {
    compiledExtensions.contains(url.pathExtension)
  }

  /// Removes compiled models whose XML is also present.
  private static func withoutCopies(_ models: [URL]) -> [URL] {
    let written = Set(models.filter { !isCompiled($0) }.map(name))
    return models.filter { !isCompiled($0) || !written.contains(name($0)) }
  }

  private static func name(_ model: URL) -> String {
    model.deletingPathExtension().lastPathComponent
  }

  /// Returns the model bundles, and the versions outside of bundles, at any depth of a folder.
  static func models(in folder: URL) -> [URL] {
    let entries =
      (try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)) ?? []
    return entries.sorted { $0.path < $1.path }.flatMap { entry in
      if isModel(entry) { return [entry.resolvingSymlinksInPath()] }
      return isFolder(entry) ? models(in: entry) : []
    }
  }

  /// Returns a command for each model, which runs when one of the model's files has changed.
  static func commands(
    for models: [URL], settings: URL?, migrations: URL?, tool: URL, output: URL, target: String
  ) -> [Command] {
    if models.isEmpty {
      Diagnostics.error(
        "no model in the folder of target '\(target)': .xcdatamodeld, .xcdatamodel, .momd or .mom"
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

  /// Returns the folder that contains a definition: `Migrations` for `Migrations/Shop/Shop 2--Shop 3.xml`.
  static func migrations(around file: URL) -> URL? {
    let folder = file.deletingLastPathComponent().deletingLastPathComponent()
    return folder.lastPathComponent == migrationsName ? folder : nil
  }

  /// Returns all files of a model, including the hidden file `.xccurrentversion`.
  private static func files(in model: URL) -> [URL] {
    guard isFolder(model) else { return [model] }
    let all = FileManager.default.enumerator(at: model, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).filter { !isFolder($0) }
      .sorted { $0.path < $1.path }
  }

  private static func isFolder(_ url: URL) -> Bool {
    // Resource values of a symbolic link describe the link, so the link is resolved first.
    let values = try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey])
    return values?.isDirectory == true
  }
}
