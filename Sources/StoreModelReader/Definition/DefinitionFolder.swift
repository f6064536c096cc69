/// The migrations of one model: `Migrations/<Model>/<from>--<to>.xml`.
package struct DefinitionFolder: Hashable, Sendable {
  /// In natural order of the versions' names.
  package let files: [DefinitionFile]

  /// What stands between the names of two versions in the name of a file.
  private static let separator = "--"

  /// The migrations of `bundle` below `folder`, `Migrations`. Without such a folder there are none.
  ///
  /// - Throws: `DefinitionFolderError` for a file whose name does not say between which versions.
  package static func find(of bundle: ModelBundle, in folder: String) throws -> DefinitionFolder {
    let own = ModelPath.join(folder, bundle.name)
    guard ModelPath.kind(of: own) == .folder else { return DefinitionFolder(files: []) }
    let names = try ModelPath.names(in: own).filter {
      !$0.hasPrefix(".") && ModelPath.pathExtension(of: $0) == "xml"
    }
    let files = try names.map { try file(ModelPath.join(own, $0), of: bundle) }
    // By version, not by file name: the separator would sort 'Shop 2' before 'Shop'.
    return DefinitionFolder(
      files: files.sorted {
        $0.from == $1.from
          ? NaturalOrder.isLess($0.to, $1.to) : NaturalOrder.isLess($0.from, $1.from)
      })
  }

  /// The migration between two versions; nil where there is none.
  package func file(from: String, to: String) -> DefinitionFile? {
    files.first { $0.from == from && $0.to == to }
  }

  /// Where a migration has its place: `Migrations/Shop/Shop 2--Shop 3.xml`.
  package static func path(
    from: String, to: String, of bundle: ModelBundle, in folder: String
  ) -> String {
    ModelPath.join(
      ModelPath.join(folder, bundle.name), "\(from)\(separator)\(to).xml")
  }

  private static func file(
    _ path: String, of bundle: ModelBundle
  ) throws(DefinitionFolderError) -> DefinitionFile {
    let stem = ModelPath.stem(of: path, without: ["xml"])
    let splits = splits(of: stem)
    guard let first = splits.first else { throw .noVersions(file: path) }
    // A version's own name may hold the separator: then one of the readings has both versions.
    let known = splits.first {
      bundle.hasVersion(named: $0.from) && bundle.hasVersion(named: $0.to)
    }
    guard let (from, to) = known else {
      let unknown = bundle.hasVersion(named: first.from) ? first.to : first.from
      throw .unknownVersion(unknown, file: path, bundle)
    }
    guard from != to else { throw .sameVersion(from, file: path) }
    return DefinitionFile(path: path, from: from, to: to)
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

/// Why the name of a file is not that of a migration.
package enum DefinitionFolderError: Error, Hashable, Sendable {
  case noVersions(file: String)
  case unknownVersion(String, file: String, ModelBundle)
  case sameVersion(String, file: String)
}
