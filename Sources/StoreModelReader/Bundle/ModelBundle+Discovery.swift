public import StoreDiagnostics
import ModelArchives
import StoreModel

extension ModelBundle {
  /// Finds all models at `path`: a bundle, the folder of a version, a model file, or a folder that contains them at any
  /// depth. No model is read.
  ///
  /// - Parameter path: The path of a file or folder.
  /// - Returns: The models, at least one.
  /// - Throws: `ModelBundleError` if there is no model.
  public static func find(at path: String) throws(ModelBundleError) -> [ModelBundle] {
    try find(at: FilePath(path))
  }

  /// Finds the only model at `path`, without reading it.
  ///
  /// - Parameter path: The path of a file or folder.
  /// - Throws: `ModelBundleError` unless there is exactly one model.
  public init(at path: String) throws(ModelBundleError) { try self.init(at: FilePath(path)) }

  /// Finds all models at `path`: a bundle, the folder of a version, a model file, or a folder that contains them at any
  /// depth. No model is read.
  ///
  /// - Parameter path: The path of a file or folder.
  /// - Returns: The models, at least one.
  /// - Throws: `ModelBundleError` if there is no model.
  public static func find(at path: FilePath) throws(ModelBundleError) -> [ModelBundle] {
    let path = path.spelled
    guard let kind = path.kind else { throw .noSuchFile(path) }
    guard kind == .folder else { return [try lone(file: path)] }
    let found = try search(path)
    guard !found.isEmpty else { throw .noModel(path) }
    return found
  }

  /// Finds the only model at `path`, without reading it.
  ///
  /// - Parameter path: The path of a file or folder.
  /// - Throws: `ModelBundleError` unless there is exactly one model.
  public init(at path: FilePath) throws(ModelBundleError) {
    let found = try Self.find(at: path)
    guard let only = found.first, found.count == 1 else { throw .severalModels(path, found) }
    self = only
  }

  /// Returns whether the extension of a word shows that it is the path of a model.
  package static func isPath(_ word: FilePath) -> Bool {
    (ModelPath.bundleExtensions + ModelPath.versionExtensions + ["xml"])
      .contains(ModelPath.pathExtension(of: word))
  }

  /// Finds the source models below a folder, such as an app's repository. Folders of build tools and package managers
  /// are skipped, and folders that can't be read.
  package static func sources(below folder: FilePath) -> [ModelBundle] {
    var found: [ModelBundle] = []
    var level = [folder == "." ? "" : folder]
    var count = 0
    for _ in 0..<searchLimit.levels where !level.isEmpty {
      var next: [FilePath] = []
      for folder in level where count < searchLimit.folders {
        count += 1
        // This user can't read a model in the folder either.
        guard case .success(let names) = namesForSearch(in: folder) else { continue }
        for name in names where !name.hasPrefix(".") && !skippedFolders.contains("\(name)") {
          let path = ModelPath.join(folder, name)
          switch ModelPath.pathExtension(of: name) {
          case ModelPath.bundleExtension, ModelPath.versionExtension:
            if case .success(let models) = modelsForSearch(at: path) { found += models }
          case let other where skippedExtensions.contains(other): continue
          default:
            if path.kind == .folder, !path.isLink { next.append(path) }
          }
        }
      }
      level = next
    }
    return found.sorted { NaturalOrder.isLess("\($0.path)", "\($1.path)") }
  }

  /// A limit for a search in a large folder, such as a home folder.
  private static let searchLimit = (levels: 8, folders: 2_000)
  private static let skippedFolders: Set = [
    "build", "Build", "DerivedData", "Pods", "Carthage", "node_modules", "vendor", "SourcePackages",
  ]
  private static let skippedExtensions: Set = [
    "app", "bundle", "framework", "xcframework", "xcarchive", "xcodeproj", "xcworkspace",
    "xcassets",
    "playground", "photoslibrary",
  ]

  private static func namesForSearch(in folder: FilePath) -> Result<[FilePath], ModelBundleError> {
    Result { () throws(ModelBundleError) in try ModelPath.names(in: folder) }
  }

  private static func modelsForSearch(
    at path: FilePath
  ) -> Result<[ModelBundle], ModelBundleError> {
    Result { () throws(ModelBundleError) in try search(path) }
  }

  /// Returns a bundle for a single file, which can have any name because the user specified it.
  private static func lone(file path: FilePath) throws(ModelBundleError) -> ModelBundle {
    guard try !ModelPath.isCompiled(path) else { return lone(version: compiled(path)) }
    guard try !ModelPath.isZipArchive(path) else { throw .zipArchive(path) }
    var name = ModelPath.stem(of: path, without: ["xml", ModelPath.versionExtension])
    let folder = ModelPath.folder(of: path)
    if name == ModelPath.contents, !folder.isEmpty {
      name = ModelPath.stem(of: folder, without: [ModelPath.versionExtension])
    }
    let version = ModelVersion(name: name, path: path, form: .xml)
    return ModelBundle(path: path, name: name, versions: [version], current: .only(version))
  }

  private static func search(_ folder: FilePath) throws(ModelBundleError) -> [ModelBundle] {
    switch ModelPath.pathExtension(of: folder) {
    case ModelPath.bundleExtension, ModelPath.compiledBundleExtension:
      return try bundle(folder).map { [$0] } ?? []
    case ModelPath.versionExtension: return [lone(version: try version(folder))]
    default: break
    }
    var found: [ModelBundle] = []
    for name in try ModelPath.names(in: folder) where !name.hasPrefix(".") {
      let path = ModelPath.join(folder, name)
      switch path.kind {
      // Links can form cycles.
      case .folder? where !path.isLink: found += try search(path)
      case .file? where try isModel(file: path): found.append(try lone(file: path))
      case .folder?, .file?, .link?, .pipe?, .other?, nil: continue
      }
    }
    return found
  }

  private static func lone(version: ModelVersion) -> ModelBundle {
    ModelBundle(
      path: version.path, name: version.name, versions: [version], current: .only(version))
  }

  /// Returns whether a file among others is a model: its XML begins with a `model` element.
  private static func isModel(file path: FilePath) throws(ModelBundleError) -> Bool {
    if ModelPath.pathExtension(of: path) == ModelPath.compiledVersionExtension { return true }
    let name = ModelPath.name(of: path)
    guard name == ModelPath.contents || ModelPath.pathExtension(of: path) == "xml" else {
      return false
    }
    let head = String(decoding: try ModelPath.head(of: path, 4096), as: UTF8.self)
    return head.contains("<model ") || head.contains("<model>")
  }

  /// Returns nil for a bundle without versions, which a checkout can leave behind.
  private static func bundle(_ folder: FilePath) throws(ModelBundleError) -> ModelBundle? {
    var versions: [ModelVersion] = []
    for name in try ModelPath.names(in: folder) {
      let path = ModelPath.join(folder, name)
      switch ModelPath.pathExtension(of: name) {
      case ModelPath.versionExtension: versions.append(try version(path))
      case ModelPath.compiledVersionExtension: versions.append(compiled(path))
      default: continue
      }
    }
    guard !versions.isEmpty else { return nil }
    // XML contains more information than the compiled form.
    let written = versions.filter { $0.form != .compiled }.map(\.name).exact
    versions.removeAll { $0.form == .compiled && written.contains(ExactText($0.name)) }
    try requireNames(of: versions, at: folder)
    // The names are compared without the extension, whose dot would sort 'Todo 2' before 'Todo'.
    versions.sort { NaturalOrder.isLess($0.name, $1.name) }
    return ModelBundle(
      path: folder, name: ModelPath.stem(of: folder, without: ModelPath.bundleExtensions),
      versions: versions, current: try current(of: versions, in: folder))
  }

  /// - Throws: `ModelBundleError.twinVersions` or `ModelBundleError.sameVersions`
  static func requireNames(
    of versions: [ModelVersion], at path: FilePath
  ) throws(ModelBundleError) {
    if let twins = versions.map(\.name).firstTwin {
      throw .twinVersions(twins.first, twins.second, path: path)
    }
    var names: Set<ExactText> = []
    for version in versions where !names.insert(ExactText(version.name)).inserted {
      throw .sameVersions(version.name, path: path)
    }
  }

  private static func version(_ folder: FilePath) throws(ModelBundleError) -> ModelVersion {
    let name = ModelPath.stem(of: folder, without: [ModelPath.versionExtension])
    // Very old or manually created models are a file instead of a folder.
    if folder.kind == .file {
      return ModelVersion(name: name, path: folder, form: .xml)
    }
    let names = try ModelPath.names(in: folder)
    if names.contains(FilePath(ModelPath.contents)) {
      let contents = ModelPath.join(folder, FilePath(ModelPath.contents))
      return ModelVersion(name: name, path: contents, form: .xml)
    }
    let isXcode3 = names.contains(FilePath(ModelPath.xcode3Elements))
    return ModelVersion(name: name, path: folder, form: isXcode3 ? .xcode3 : .empty)
  }

  private static func compiled(_ path: FilePath) -> ModelVersion {
    let name = ModelPath.stem(of: path, without: [ModelPath.compiledVersionExtension])
    return ModelVersion(name: name, path: path, form: .compiled)
  }
}
