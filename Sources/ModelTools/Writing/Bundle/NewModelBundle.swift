package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new `.xcdatamodeld` or compiled `.momd` as a value: all files with their bytes.
///
///     try NewModelBundle(at: "Todo.xcdatamodeld", versions: versions, current: "Todo 2").write()
package struct NewModelBundle: Hashable, Sendable {
  /// A version of the model.
  package struct Version: Hashable, Sendable {
    package var name: String
    /// The bytes of its file: XML or an archive.
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }

    /// - Parameter text: XML.
    package init(name: String, text: String) {
      self.init(name: name, bytes: Array(text.utf8))
    }
  }

  /// A file with its path in the bundle.
  package struct File: Hashable, Sendable {
    package var path: [String]
    package var bytes: [UInt8]
  }

  package let path: LocalPath
  package let versions: [Version]
  /// The files of the versions in their order, then the file that specifies the current version, if there is one.
  package let files: [File]

  /// Creates an `.xcdatamodeld`.
  ///
  /// - Parameter current: the name of the current version, or nil if it is unknown.
  /// - Throws: `NewModelBundleError` if the name of the bundle or of a version isn't valid, or two versions have
  ///   names that are equal or differ only in case.
  package init(
    at path: LocalPath, versions: [Version], current: String?
  ) throws(NewModelBundleError) {
    let declared = current.flatMap { current in versions.first { $0.name == current } }
    try self.init(
      at: path, .xcode, versions,
      declaration: declared.map { Array(Self.declaration(of: $0.name).utf8) })
  }

  /// Creates a compiled `.momd`.
  ///
  /// - Parameter info: the content of its `VersionInfo.plist`.
  /// - Throws: `NewModelBundleError` if the name of the bundle or of a version isn't valid, or two versions have
  ///   names that are equal or differ only in case.
  package init(
    compiledAt path: LocalPath, versions: [Version], info: [UInt8]
  ) throws(NewModelBundleError) {
    try self.init(at: path, .compiled, versions, declaration: info)
  }

  private init(
    at path: LocalPath, _ format: BundleFormat, _ versions: [Version], declaration: [UInt8]?
  ) throws(NewModelBundleError) {
    var path = path
    while path.hasSuffix("/"), path != "/" { path = path.dropLast() }
    self.path = path
    let name = "\(path.name)"
    guard name.lowercased().hasSuffix(format.ending), name != format.ending else {
      throw .noBundleName(self.path, ending: format.ending)
    }
    try Self.check(versions.map(\.name), format)
    self.versions = versions
    files =
      versions.map {
        File(path: [$0.name + format.versionEnding] + format.contents, bytes: $0.bytes)
      }
      + (declaration.map { [File(path: [format.declaration], bytes: $0)] } ?? [])
  }

  /// Checks the names of the versions. They become file names, and can come from an untrusted file.
  private static func check(
    _ names: [String], _ format: BundleFormat
  ) throws(NewModelBundleError) {
    var spellings: [String: String] = [:]
    for name in names {
      if let problem = FileNameIssue(of: name, with: format.versionEnding) {
        throw .unfitName(name, problem)
      }
      if let other = spellings.updateValue(name, forKey: name.lowercased()) {
        throw .sameName(name, other)
      }
    }
  }

  /// Returns the content of an `.xccurrentversion` in Xcode's form.
  package static func declaration(of version: String) -> String {
    let name = (version + BundleFormat.xcode.versionEnding).unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(scalar)
      }
    }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>_XCCurrentVersionName</key>
      \t<string>\(name)</string>
      </dict>
      </plist>

      """
  }

  /// Writes the bundle to its path, which must not exist. The bundle appears there only after it is complete.
  ///
  /// - Throws: `NewModelBundleError` if the bundle can't be written. The incomplete bundle is removed.
  package func write() throws(NewModelBundleError) {
    let folder = try NewFolder(target: path)
    do throws(NewModelBundleError) {
      for file in files { try folder.add(file.bytes, at: file.path) }
      try folder.publish()
    } catch {
      folder.discard()
      throw error
    }
  }
}

/// The two forms of a bundle of model versions.
struct BundleFormat {
  /// The extension of the bundle's name.
  let ending: String
  let versionEnding: String
  /// The path of a version's file in the version's folder. It is empty if a version is a file.
  let contents: [String]
  /// The name of the file that specifies the current version.
  let declaration: String

  static let xcode = BundleFormat(
    ending: ".xcdatamodeld", versionEnding: ".xcdatamodel", contents: ["contents"],
    declaration: ".xccurrentversion")
  static let compiled = BundleFormat(
    ending: ".momd", versionEnding: ".mom", contents: [], declaration: "VersionInfo.plist")
}

/// A folder that is written with a temporary name and then renamed.
struct NewFolder {
  private let target: LocalPath
  private let folder: StagingFolder
  private let draft: Draft

  init(target: LocalPath) throws(NewModelBundleError) {
    self.target = target
    guard !target.isTaken else { throw .exists(target) }
    do {
      folder = try StagingFolder(target.parent)
      draft = try folder.makeFolder(for: target.name)
    } catch {
      throw error.isMissing
        ? .folderMissing(target) : .unwritable(target, reason: error.reason)
    }
  }

  /// Writes a file, and creates its folders.
  ///
  /// - Parameter names: the names of the folders and of the file, which must already be checked.
  func add(_ bytes: [UInt8], at names: [String]) throws(NewModelBundleError) {
    do throws(SystemError) {
      var folders = [draft.path]
      for name in names.dropLast() {
        let folder: LocalPath = "\(folders[folders.count - 1])/\(name)"
        folders.append(folder)
        do {
          try folder.makeFolder()
        } catch {
          guard error.code == EEXIST else { throw error }
        }
      }
      let path: LocalPath = "\(draft.path)/\(names.joined(separator: "/"))"
      let file = try OpenFile(path, O_CREAT | O_EXCL | O_WRONLY)
      try file.write(bytes)
      try file.sync()
      for folder in folders.reversed() { try StagingFolder(folder).sync() }
    } catch {
      throw failure(error)
    }
  }

  /// Renames the folder to its path, unless the path exists.
  func publish() throws(NewModelBundleError) {
    guard !target.isTaken else { throw .exists(target) }
    // If something was created there in the meantime, rename(2) only replaces an empty folder.
    do {
      try draft.path.rename(to: target)
    } catch {
      throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.code) ? .exists(target) : failure(error)
    }
    do {
      try folder.sync()
    } catch {
      do {
        // The folder is moved back, so that `discard()` removes it.
        try target.rename(to: draft.path)
      } catch {
        // The first error is reported.
      }
      throw failure(error)
    }
  }

  func discard() { draft.remove() }

  private func failure(_ error: SystemError) -> NewModelBundleError {
    .unwritable(target, reason: error.reason)
  }
}
