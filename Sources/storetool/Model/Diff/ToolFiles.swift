import StoreDiagnostics
import StoreModelReader

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Two files as Git gives them to a diff tool: of what is new or gone there is one side only, the other is the empty
/// file, and the file that names a bundle's current version comes like any other.
struct ToolFiles {
  private let old: FilePath
  private let new: FilePath

  private static let nothing: FilePath = "/dev/null"
  private static let declaration = ".xccurrentversion"

  init(_ old: FilePath, _ new: FilePath) {
    (self.old, self.new) = (old, new)
  }

  /// Their comparison; nil where both are to be read as models.
  ///
  /// - Throws: what reading a model throws; `DiagnosticError` for a declaration that can't be read.
  func comparison() throws -> ComparedModel? {
    guard ![old, new].contains(where: { $0.hasSuffix(Self.declaration) }) else {
      return try ComparedModel(
        path: FilePath(Self.declaration), from: nil, to: nil, versions: [currentVersion()])
    }
    if old == Self.nothing {
      return try ComparedModel(from: nil, to: side(new), versions: [.modelAdded], listsAll: true)
    }
    if new == Self.nothing {
      return try ComparedModel(from: side(old), to: nil, versions: [.modelRemoved], listsAll: true)
    }
    return nil
  }

  private func side(_ path: FilePath) throws -> ComparedModel.Side {
    .init(try Workspace(modelPath: path).currentModel())
  }

  private func currentVersion() throws -> VersionChange {
    switch (try name(in: old), try name(in: new)) {
    case (let old?, let new?): .current(from: old, to: new)
    case (nil, let new?): .declared(new)
    case (let old?, nil): .undeclared(old)
    case (nil, nil): .undeclared("")
    }
  }

  /// Without the extension of its folder; nil for the empty file, and for one that names no version.
  private func name(in path: FilePath) throws -> String? {
    guard path != Self.nothing else { return nil }
    let bytes = try GivenFile.bytes(of: path)
    do {
      let name = try ModelBundle.currentVersion(declaredIn: bytes)
      return name.map { $0.hasSuffix(".xcdatamodel") ? String($0.dropLast(12)) : $0 }
    } catch {
      throw DiagnosticError(
        Diagnostic(
          .error, "model.current-version", "'\(path)' does not name a version",
          help: ["it is a property list with a name under _XCCurrentVersionName"]))
    }
  }
}
