public import StoreDiagnostics
import ModelArchives
import StoreModel

extension ModelBundle {
  /// Finds all models at `path`: a bundle, the folder of a version, a model file, or a folder that contains them at any
  /// depth. The models aren't parsed. In a folder, hidden files and symbolic links to folders are skipped.
  ///
  /// - Parameter path: The path of a file or folder.
  /// - Returns: The models, at least one.
  /// - Throws: `ModelBundleError` if `path` doesn't contain a model, a file or folder can't be read, or two versions of
  ///   a bundle have equal names.
  public static func find(at path: String) throws(ModelBundleError) -> [ModelBundle] {
    try find(at: LocalPath(path))
  }

  /// Finds the only model at `path`, without parsing it.
  ///
  /// - Parameter path: The path of a file or folder.
  /// - Throws: `ModelBundleError` if `path` doesn't contain exactly one model, a file or folder can't be read, or two
  ///   versions of a bundle have equal names.
  public init(at path: String) throws(ModelBundleError) { try self.init(at: LocalPath(path)) }

  /// Finds all models at `path`: a bundle, the folder of a version, a model file, or a folder that contains them at any
  /// depth. The models aren't parsed. In a folder, hidden files and symbolic links to folders are skipped.
  ///
  /// - Parameter path: The path of a file or folder.
  /// - Returns: The models, at least one.
  /// - Throws: `ModelBundleError` if `path` doesn't contain a model, a file or folder can't be read, or two versions of
  ///   a bundle have equal names.
  public static func find(at path: LocalPath) throws(ModelBundleError) -> [ModelBundle] {
    let path = path.spelled
    guard let kind = path.kind else { throw .noSuchFile(path) }
    guard kind == .folder else { return [try lone(file: path)] }
    let found = try search(path)
    guard !found.isEmpty else { throw .noModel(path) }
    return found
  }

  /// Finds the only model at `path`, without parsing it.
  ///
  /// - Parameter path: The path of a file or folder.
  /// - Throws: `ModelBundleError` if `path` doesn't contain exactly one model, a file or folder can't be read, or two
  ///   versions of a bundle have equal names.
  public init(at path: LocalPath) throws(ModelBundleError) {
    let found = try Self.find(at: path)
    guard let only = found.first, found.count == 1 else { throw .severalModels(path, found) }
    self = only
  }

  /// Returns whether `word` has an extension of models, such as `.xcdatamodeld`, `.mom` or `.xml`.
  package static func isPath(_ word: LocalPath) -> Bool {
    (ModelPath.bundleExtensions + ModelPath.versionExtensions + ["xml"])
      .contains(ModelPath.pathExtension(of: word))
  }

  /// Finds the source models below a folder, such as an app's repository, within the limits of `searchLimit`. The
  /// search skips hidden folders, packages such as `.app`, folders of build tools and package managers, and folders
  /// that can't be read.
  package static func sources(below folder: LocalPath) -> [ModelBundle] {
    var found: [ModelBundle] = []
    var level = [folder == "." ? "" : folder]
    var count = 0
    for _ in 0..<searchLimit.levels where !level.isEmpty {
      var next: [LocalPath] = []
      for folder in level where count < searchLimit.folders {
        count += 1
        // If the user can't read a folder, the user can't read the models in it either.
        guard case .success(let names) = Result(catching: { try ModelPath.names(in: folder) })
        else { continue }
        for name in names where !name.hasPrefix(".") && !skippedFolders.contains("\(name)") {
          let path = folder.appending(name)
          switch ModelPath.pathExtension(of: name) {
          case ModelPath.bundleExtension, ModelPath.versionExtension:
            if case .success(let models) = Result(catching: { try search(path) }) {
              found += models
            }
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

  /// The maximum depth of a search and the maximum number of searched folders. They limit the time of a search in a
  /// large folder, such as a home folder.
  private static let searchLimit = (levels: 8, folders: 2_000)
  private static let skippedFolders: Set = [
    "build", "Build", "DerivedData", "Pods", "Carthage", "node_modules", "vendor", "SourcePackages",
  ]
  private static let skippedExtensions: Set = [
    "app", "bundle", "framework", "xcframework", "xcarchive", "xcodeproj", "xcworkspace",
    "xcassets", "playground", "photoslibrary",
  ]

  /// Returns a bundle for a single file, which can have any name.
  private static func lone(file path: LocalPath) throws(ModelBundleError) -> ModelBundle {
    guard try !ModelPath.isCompiled(path) else { return ModelBundle(only: compiled(path)) }
    guard try !ModelPath.isZipArchive(path) else { throw .zipArchive(path) }
    var name = ModelPath.stem(of: path, without: ["xml", ModelPath.versionExtension])
    let folder = ModelPath.folder(of: path)
    if name == ModelPath.contents, !folder.isEmpty {
      name = ModelPath.stem(of: folder, without: [ModelPath.versionExtension])
    }
    return ModelBundle(only: ModelVersion(name: name, path: path, form: .xml))
  }

  private static func search(_ folder: LocalPath) throws(ModelBundleError) -> [ModelBundle] {
    switch ModelPath.pathExtension(of: folder) {
    case ModelPath.bundleExtension, ModelPath.compiledBundleExtension:
      return try bundle(folder).map { [$0] } ?? []
    case ModelPath.versionExtension: return [ModelBundle(only: try version(folder))]
    default: break
    }
    var found: [ModelBundle] = []
    for name in try ModelPath.names(in: folder) where !name.hasPrefix(".") {
      let path = folder.appending(name)
      switch path.kind {
      // A symbolic link to a folder isn't followed, because links can form cycles.
      case .folder? where !path.isLink: found += try search(path)
      case .file? where try isModel(file: path): found.append(try lone(file: path))
      case .folder?, .file?, .link?, .pipe?, .other?, nil: continue
      }
    }
    return found
  }

  /// Returns whether a file in a searched folder is a model: a `.mom`, or a `contents` or `.xml` file with a `model`
  /// element in its first 4096 bytes.
  private static func isModel(file path: LocalPath) throws(ModelBundleError) -> Bool {
    if ModelPath.pathExtension(of: path) == ModelPath.compiledVersionExtension { return true }
    let name = ModelPath.name(of: path)
    guard name == ModelPath.contents || ModelPath.pathExtension(of: path) == "xml" else {
      return false
    }
    let head = String(decoding: try ModelPath.head(of: path, 4096), as: UTF8.self)
    return head.contains("<model ") || head.contains("<model>")
  }

  /// Returns the bundle whose folder is `folder`, or nil if the folder doesn't contain versions. `git checkout` can
  /// leave such a folder behind.
  private static func bundle(_ folder: LocalPath) throws(ModelBundleError) -> ModelBundle? {
    var versions: [ModelVersion] = []
    for name in try ModelPath.names(in: folder) {
      let path = folder.appending(name)
      switch ModelPath.pathExtension(of: name) {
      case ModelPath.versionExtension: versions.append(try version(path))
      case ModelPath.compiledVersionExtension: versions.append(compiled(path))
      default: continue
      }
    }
    guard !versions.isEmpty else { return nil }
    // A compiled version is ignored if the bundle also contains its source, which contains more information.
    let written = versions.filter { $0.form != .compiled }.map(\.name).exact
    versions.removeAll { $0.form == .compiled && written.contains(ExactText($0.name)) }
    try requireNames(of: versions, at: folder)
    // The names are compared without the extension, whose dot would sort 'Todo 2' before 'Todo'.
    versions.sort { NaturalOrder.isLess($0.name, $1.name) }
    return ModelBundle(
      path: folder, name: ModelPath.stem(of: folder, without: ModelPath.bundleExtensions),
      versions: versions, current: try current(of: versions, in: folder))
  }

  /// - Throws: `ModelBundleError.twinVersions` or `ModelBundleError.sameVersions` if two versions have names that look
  ///   alike or are equal.
  static func requireNames(
    of versions: [ModelVersion], at path: LocalPath
  ) throws(ModelBundleError) {
    if let twins = versions.map(\.name).firstTwin {
      throw .twinVersions(twins.first, twins.second, path: path)
    }
    var names: Set<ExactText> = []
    for version in versions where !names.insert(ExactText(version.name)).inserted {
      throw .sameVersions(version.name, path: path)
    }
  }

  private static func version(_ folder: LocalPath) throws(ModelBundleError) -> ModelVersion {
    let name = ModelPath.stem(of: folder, without: [ModelPath.versionExtension])
    // A very old or manually created version can be a file instead of a folder.
    if folder.kind == .file {
      return ModelVersion(name: name, path: folder, form: .xml)
    }
    let names = try ModelPath.names(in: folder)
    if names.contains(LocalPath(ModelPath.contents)) {
      let contents = folder.appending(LocalPath(ModelPath.contents))
      return ModelVersion(name: name, path: contents, form: .xml)
    }
    let isXcode3 = names.contains(LocalPath(ModelPath.xcode3Elements))
    return ModelVersion(name: name, path: folder, form: isXcode3 ? .xcode3 : .empty)
  }

  private static func compiled(_ path: LocalPath) -> ModelVersion {
    let name = ModelPath.stem(of: path, without: [ModelPath.compiledVersionExtension])
    return ModelVersion(name: name, path: path, form: .compiled)
  }
}
