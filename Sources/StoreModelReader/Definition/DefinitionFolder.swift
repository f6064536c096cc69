package import StoreDiagnostics
package import StoreModel

/// The migrations of one model: the files `Migrations/<Model>/<from>--<to>.xml`, and mapping models in the same folder.
package struct DefinitionFolder: Hashable, Sendable {
  /// The files in the natural order of the names of their versions.
  package let files: [DefinitionFile]
  /// The files that can't be used.
  package let faults: [UnusableDefinition]

  package init(files: [DefinitionFile], faults: [UnusableDefinition]) {
    self.files = files
    self.faults = faults
  }

  private static let separator = "--"

  /// Finds the migrations of a bundle in a folder such as `Migrations`. If the folder doesn't contain a folder with the
  /// name of the model, the result is empty.
  ///
  /// An invalid file is added to `faults`, and prevents only the migrations that require it.
  ///
  /// - Throws: An error if the folder can't be read.
  package static func find(of bundle: ModelBundle, in folder: LocalPath) throws -> DefinitionFolder
  {
    let own = folder.appending(LocalPath(bundle.name))
    guard own.kind == .folder else { return DefinitionFolder(files: [], faults: []) }
    var files: [DefinitionFile] = []
    var faults: [UnusableDefinition] = []
    for name in try ModelPath.names(in: own) where !name.hasPrefix(".") {
      let path = own.appending(name)
      do {
        let (found, fault) = try file(path, of: bundle)
        faults += [fault].compactMap(\.self)
        guard let file = found else { continue }
        if let twin = files.first(where: { $0.jump == file.jump }) {
          throw DefinitionFolderError.twice(file.path, twin.path, file.from, file.to)
        }
        files.append(file)
      } catch let error as any DiagnosableError {
        faults.append(UnusableDefinition(error, of: bundle))
      }
    }
    // The versions are compared instead of the file names, whose separator would sort 'Shop 2' before 'Shop'.
    let sorted = files.sorted {
      $0.from == $1.from
        ? NaturalOrder.isLess($0.to, $1.to) : NaturalOrder.isLess($0.from, $1.from)
    }
    return DefinitionFolder(files: sorted, faults: faults)
  }

  /// A file, an error, both or neither. An invalid mapping model has both if its versions are known.
  private typealias Found = (file: DefinitionFile?, fault: UnusableDefinition?)

  /// Returns neither a file nor an error for a file that isn't a migration.
  private static func file(_ path: LocalPath, of bundle: ModelBundle) throws -> Found {
    switch ModelPath.pathExtension(of: path) {
    case "xml": (try definition(path, of: bundle), nil)
    case ModelPath.mappingExtension: try mappingModel(path, of: bundle)
    default: (nil, nil)
    }
  }

  /// Checks the definitions of a migration path.
  ///
  /// - Parameters:
  ///   - versions: The versions of the path, including both ends.
  ///   - jumps: The steps of the path that use a definition.
  /// - Throws: `DiagnosticError` with the errors of the unusable files that the path requires.
  package func requireSound(
    _ versions: [String], _ jumps: [VersionJump]
  ) throws(DiagnosticError) {
    let concerned = faults.filter { fault in
      switch fault.subject {
      case .jump(let from, let to): jumps.contains(VersionJump(from: from, to: to))
      case .version(let name): versions.containsExactly(name)
      case .unknown: false
      }
    }
    guard concerned.isEmpty else { throw DiagnosticError(concerned.flatMap(\.diagnostics)) }
  }

  /// Returns the migration between two versions, or nil if it doesn't exist.
  package func file(from: String, to: String) -> DefinitionFile? {
    files.first { $0.jump == VersionJump(from: from, to: to) }
  }

  /// Returns the path for the definition of a migration, such as `Migrations/Shop/Shop 2--Shop 3.xml`.
  package static func path(
    from: String, to: String, of bundle: ModelBundle, in folder: LocalPath
  ) -> LocalPath {
    folder.appending(LocalPath(bundle.name)).appending("\(from)\(separator)\(to).xml")
  }

  private static func mappingModel(_ folder: LocalPath, of bundle: ModelBundle) throws -> Found {
    let isFolder = folder.kind == .folder
    let path = isFolder ? folder.appending(LocalPath(ModelPath.mappingContents)) : folder
    let source = XMLSource(file: "\(path)", bytes: try ModelPath.bytes(of: path))
    let (from, to): (String, String)
    var fault: UnusableDefinition?
    do {
      let definition = try MappingModelReading.read(source).definition
      (from, to) = (definition.from.meaning, definition.to.meaning)
    } catch let error as any DiagnosableError {
      guard let ends = MappingModelReading.ends(inBroken: source) else { throw error }
      (from, to) = ends
      fault = UnusableDefinition(error, between: from, to)
    }
    for (name, other) in [(from, to), (to, from)] where !bundle.hasVersion(named: name) {
      throw DefinitionFolderError.unknownVersion(name, beside: other, file: path, bundle)
    }
    return (DefinitionFile(path: path, form: .mappingModel, from: from, to: to), fault)
  }

  private static func definition(
    _ path: LocalPath, of bundle: ModelBundle
  ) throws(DefinitionFolderError) -> DefinitionFile {
    let stem = ModelPath.stem(of: path, without: ["xml"])
    let splits = splits(of: stem)
    guard let first = splits.first else { throw .noVersions(file: path) }
    // A version's name may contain the separator, so there can be several splits. The first split into two existing
    // versions is used.
    let known = splits.first {
      bundle.hasVersion(named: $0.from) && bundle.hasVersion(named: $0.to)
    }
    guard let (from, to) = known else {
      let (unknown, other) =
        bundle.hasVersion(named: first.from) ? (first.to, first.from) : (first.from, first.to)
      throw .unknownVersion(unknown, beside: other, file: path, bundle)
    }
    guard !from.isExactly(to) else { throw .sameVersion(from, file: path) }
    return DefinitionFile(path: path, form: .definition, from: from, to: to)
  }

  /// Returns all possible splits of `A--B` into two names.
  private static func splits(of stem: String) -> [(from: String, to: String)] {
    stem.indices.compactMap { index in
      let rest = stem[index...]
      guard rest.hasPrefix(separator), index > stem.startIndex else { return nil }
      let to = rest.dropFirst(separator.count)
      return to.isEmpty ? nil : (String(stem[..<index]), String(to))
    }
  }
}

extension DefinitionFolder: DefinitionSource {
  package var jumps: [VersionJump] { files.map(\.jump) }

  package var warnings: [DiagnosticMessage] { faults.flatMap(\.warnings) }

  package func definition(of jump: VersionJump) throws -> MigrationDefinition? {
    try file(from: jump.from, to: jump.to)?.read()
  }

  package func path(of jump: VersionJump) -> LocalPath? {
    file(from: jump.from, to: jump.to)?.path
  }
}

extension DefinitionFolder {
  /// Writes a new file, and creates its missing parent folders. An existing file is never overwritten.
  package static func add(_ text: String, at path: LocalPath) throws(DefinitionFileError) {
    do throws(FileWriteError) {
      try StagedFile.add(Array(text.utf8), at: path)
    } catch {
      throw error.isTaken ? .exists(path) : .unwritable(path, reason: error.reason)
    }
  }
}

/// A reason why a definition can't be written.
package enum DefinitionFileError: DiagnosableError, Hashable {
  case exists(LocalPath)
  case unwritable(LocalPath, reason: String)

  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .exists(let path):
      DiagnosticMessage(
        .error, "migrate.definition-exists", "'\(path)' already exists", cause: .cannotCreate
      ).helping("edit it, or move it away")
    case .unwritable(let path, let reason):
      .unwritable(path, "migrate.unwritable", reason)
    }
  }
}
