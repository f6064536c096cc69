import Foundation
import PackagePlugin

/// Generates the Swift types of every model in a target's folder, before the target is compiled.
@main
struct StoreModelPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    // SwiftPM doesn't list excluded files as files of the target, so the folder is searched.
    return ModelFolder.commands(
      for: ModelFolder.models(in: target.directoryURL),
      settings: target.directoryURL.appending(path: ModelFolder.settingsName),
      migrations: target.directoryURL.appending(path: ModelFolder.migrationsName),
      tool: try context.tool(named: "modelc").url, output: context.pluginWorkDirectoryURL,
      target: target.name)
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension StoreModelPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let files = target.inputFiles.map(\.url)
      return ModelFolder.commands(
        for: files.filter { ModelFolder.isModel($0) },
        settings: files.first { $0.lastPathComponent == ModelFolder.settingsName },
        migrations: files.lazy.compactMap(ModelFolder.migrations).first,
        tool: try context.tool(named: "modelc").url, output: context.pluginWorkDirectoryURL,
        target: target.displayName)
    }
  }
#endif
