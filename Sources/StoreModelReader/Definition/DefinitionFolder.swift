package import StoreDiagnostics
package import StoreModel

/// The migrations of one model: `Migrations/<Model>/<from>--<to>.xml`, and mapping models beside them.
package struct DefinitionFolder: Hashable, Sendable {
  /// In natural order of the versions' names.
  package let files: [DefinitionFile]
  /// What is there and can't be used.
  package let faults: [UnusableDefinition]

  package init(files: [DefinitionFile], faults: [UnusableDefinition]) {
    self.files = files
    self.faults = faults
  }

  /// What stands between the names of two versions in the name of a file.
  private static let separator = "--"

  /// The migrations of `bundle` below `folder`, `Migrations`. Without such a folder there are none.
  ///
  /// A file that makes no sense is a fault, which stops only the migrations that it is for.
  ///
  /// - Throws: when the folder can't be read.
  package static func find(of bundle: ModelBundle, in folder: FilePath) throws -> DefinitionFolder {
    let own = ModelPath.join(folder, FilePath(bundle.name))
    guard own.kind == .folder else { return DefinitionFolder(files: [], faults: []) }
    var files: [DefinitionFile] = []
    var faults: [UnusableDefinition] = []
    for name in try ModelPath.names(in: own) where !name.hasPrefix(".") {
      let path = ModelPath.join(own, name)
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
    // By version, not by file name: the separator would sort 'Shop 2' before 'Shop'.
    let sorted = files.sorted {
      $0.from == $1.from
        ? NaturalOrder.isLess($0.to, $1.to) : NaturalOrder.isLess($0.from, $1.from)
    }
    return DefinitionFolder(files: sorted, faults: faults)
  }

  /// What is wrong with a file may not hide which versions it is for.
  private typealias Found = (file: DefinitionFile?, fault: UnusableDefinition?)

  /// Nothing for a file that is not a migration.
  private static func file(_ path: FilePath, of bundle: ModelBundle) throws -> Found {
    switch ModelPath.pathExtension(of: path) {
    case "xml": (try definition(path, of: bundle), nil)
    case ModelPath.mappingExtension: try mappingModel(path, of: bundle)
    default: (nil, nil)
    }
  }

  /// Refuses a way that a file which can't be used is for.
  ///
  /// - Parameters:
  ///   - versions: that the way passes, its ends among them.
  ///   - jumps: from one of them to another by a migration.
  /// - Throws: `DiagnosticError` with all that is wrong with such files.
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

  /// The migration between two versions; nil where there is none.
  package func file(from: String, to: String) -> DefinitionFile? {
    files.first { $0.jump == VersionJump(from: from, to: to) }
  }

  /// Where a migration has its place: `Migrations/Shop/Shop 2--Shop 3.xml`.
  package static func path(
    from: String, to: String, of bundle: ModelBundle, in folder: FilePath
  ) -> FilePath {
    ModelPath.join(
      ModelPath.join(folder, FilePath(bundle.name)), "\(from)\(separator)\(to).xml")
  }

  private static func mappingModel(_ folder: FilePath, of bundle: ModelBundle) throws -> Found {
    let isFolder = folder.kind == .folder
    let path = isFolder ? ModelPath.join(folder, FilePath(ModelPath.mappingContents)) : folder
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
    _ path: FilePath, of bundle: ModelBundle
  ) throws(DefinitionFolderError) -> DefinitionFile {
    let stem = ModelPath.stem(of: path, without: ["xml"])
    let splits = splits(of: stem)
    guard let first = splits.first else { throw .noVersions(file: path) }
    // A version's own name may hold the separator: then one of the readings has both versions.
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

  /// Every way to take `A--B` for two names.
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

  package var warnings: [Diagnostic] { faults.flatMap(\.warnings) }

  package func definition(of jump: VersionJump) throws -> MigrationDefinition? {
    try file(from: jump.from, to: jump.to)?.read()
  }

  package func path(of jump: VersionJump) -> FilePath? {
    file(from: jump.from, to: jump.to)?.path
  }
}

extension DefinitionFolder {
  /// Writes a new file, and creates its folder where that is missing. An existing file is never overwritten.
  package static func add(_ text: String, at path: FilePath) throws(DefinitionFileError) {
    do throws(FileWriteError) {
      try StagedFile.add(Array(text.utf8), at: path)
    } catch {
      throw error.isTaken ? .exists(path) : .unwritable(path, reason: error.reason)
    }
  }
}

/// Why a definition can't be written.
package enum DefinitionFileError: DiagnosableError, Hashable {
  case exists(FilePath)
  case unwritable(FilePath, reason: String)

  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .exists(let path):
      Diagnostic(
        .error, "migrate.definition-exists", "'\(path)' is there already", cause: .cannotCreate
      ).helping("edit it, or move it away")
    case .unwritable(let path, let reason):
      Diagnostic(
        .error, "migrate.unwritable", "'\(path)' can't be written: \(reason)", cause: .inputOutput
      )
    }
  }
}
