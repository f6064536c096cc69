package import StoreDiagnostics

extension ModelBundle {
  /// `Migrations` beside the folder that holds the model: for `App/Models/Todo.xcdatamodeld` it is
  /// `App/Migrations`. Beside a model in the working directory it is there, too.
  package var defaultMigrationsFolder: FilePath { Self.defaultMigrationsFolder(ofModelAt: path) }

  package static func defaultMigrationsFolder(ofModelAt path: FilePath) -> FilePath {
    let models = tidy(ModelPath.folder(of: bundlePath(path)))
    // What `..` is called, and so what is beside it, the path does not say.
    let parent = ModelPath.name(of: models) == ".." ? models : ModelPath.folder(of: models)
    return ModelPath.join(tidy(parent), "Migrations")
  }

  /// The path of the bundle also for one of its versions or files on its own.
  private static func bundlePath(_ path: FilePath) -> FilePath {
    let extensions = [ModelPath.bundleExtension, ModelPath.versionExtension]
    var path = tidy(path)
    var folder = ModelPath.folder(of: path)
    while extensions.contains(ModelPath.pathExtension(of: folder)) {
      path = folder
      folder = ModelPath.folder(of: path)
    }
    return path
  }

  /// Without the slashes at the end; `.` is the empty path.
  private static func tidy(_ path: FilePath) -> FilePath {
    var path = path
    while path.hasSuffix("/"), path != "/" { path = path.dropLast() }
    return path == "." ? "" : path
  }
}
