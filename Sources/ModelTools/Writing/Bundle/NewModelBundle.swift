package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An `.xcdatamodeld` or a compiled `.momd` that is to be made, as a value: every file with its bytes.
///
///     try NewModelBundle(at: "Todo.xcdatamodeld", versions: versions, current: "Todo 2").write()
package struct NewModelBundle: Hashable, Sendable {
  /// One version of the model.
  package struct Version: Hashable, Sendable {
    package var name: String
    /// Of its file: XML, or an archive.
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

  /// A file by its path in the bundle.
  package struct File: Hashable, Sendable {
    package var path: [String]
    package var bytes: [UInt8]
  }

  package let path: FilePath
  package let versions: [Version]
  /// Those of the versions in their order, then the one that names the current version.
  package let files: [File]

  /// An `.xcdatamodeld`.
  ///
  /// - Parameter current: the name of the version in use; nil where that is not known.
  /// - Throws: `NewModelBundleError` for names that no file can have, or that two versions share.
  package init(
    at path: FilePath, versions: [Version], current: String?
  ) throws(NewModelBundleError) {
    let declared = current.flatMap { current in versions.first { $0.name == current } }
    try self.init(
      at: path, .xcode, versions,
      declaration: declared.map { Array(Self.declaration(of: $0.name).utf8) })
  }

  /// A compiled `.momd`.
  ///
  /// - Parameter info: the content of its `VersionInfo.plist`.
  /// - Throws: `NewModelBundleError` for names that no file can have, or that two versions share.
  package init(
    compiledAt path: FilePath, versions: [Version], info: [UInt8]
  ) throws(NewModelBundleError) {
    try self.init(at: path, .compiled, versions, declaration: info)
  }

  private init(
    at path: FilePath, _ format: BundleFormat, _ versions: [Version], declaration: [UInt8]?
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
      versions.map { File(path: format.path(of: $0.name), bytes: $0.bytes) }
      + (declaration.map { [File(path: [format.declaration], bytes: $0)] } ?? [])
  }

  /// A version's name comes from a file that anybody may have made, and becomes a name of a file.
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

  /// The content of an `.xccurrentversion`, as Xcode writes it.
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

  /// Makes the bundle where nothing is yet; it appears under its name when it is whole.
  ///
  /// - Throws: `NewModelBundleError`; there is then nothing under the name that was not there before.
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
enum BundleFormat {
  /// XML, in a folder for each version.
  case xcode
  case compiled

  /// Of the bundle's name.
  var ending: String { self == .xcode ? ".xcdatamodeld" : ".momd" }

  var versionEnding: String { self == .xcode ? ".xcdatamodel" : ".mom" }

  /// The file that names the current version.
  var declaration: String { self == .xcode ? ".xccurrentversion" : "VersionInfo.plist" }

  func path(of version: String) -> [String] {
    switch self {
    case .xcode: [version + versionEnding, "contents"]
    case .compiled: [version + versionEnding]
    }
  }
}

/// A folder that is filled under a name of its own and then takes the place of nothing.
struct NewFolder {
  private let target: FilePath
  private let folder: StagingFolder
  private let draft: Draft

  init(target: FilePath) throws(NewModelBundleError) {
    self.target = target
    try Self.requireFree(target)
    do {
      folder = try StagingFolder(target.parent)
      draft = try folder.makeFolder(for: target.name)
    } catch {
      throw error.isMissing
        ? .folderMissing(target) : .unwritable(target, reason: error.reason)
    }
  }

  private static func requireFree(_ target: FilePath) throws(NewModelBundleError) {
    // A link that leads nowhere is in the way, too.
    guard target.status(followsLinks: false) == nil else { throw .exists(target) }
  }

  /// Writes a file, and makes the folders that it is in.
  ///
  /// - Parameter names: checked as names of files, the file's own last.
  func add(_ bytes: [UInt8], at names: [String]) throws(NewModelBundleError) {
    var folders = [draft.path]
    for name in names.dropLast() {
      let folder: FilePath = "\(folders[folders.count - 1])/\(name)"
      folders.append(folder)
      do {
        try folder.makeFolder()
      } catch {
        guard error.code == EEXIST else { throw failure(error) }
      }
    }
    try write(bytes, to: "\(draft.path)/\(names.joined(separator: "/"))")
    do {
      for folder in folders.reversed() { try StagingFolder(folder).sync() }
    } catch {
      throw failure(error)
    }
  }

  private func write(_ bytes: [UInt8], to path: FilePath) throws(NewModelBundleError) {
    do throws(SystemError) {
      let file = try OpenFile(path, O_CREAT | O_EXCL | O_WRONLY)
      try file.write(bytes)
      try file.sync()
    } catch {
      throw failure(error)
    }
  }

  /// Gives the folder its name, if that is free.
  func publish() throws(NewModelBundleError) {
    try Self.requireFree(target)
    // Of what comes there in the meantime, rename(2) replaces an empty folder and nothing else.
    do {
      try draft.path.rename(to: target)
    } catch {
      throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.code) ? .exists(target) : failure(error)
    }
    do {
      try folder.sync()
    } catch {
      do {
        // Back to where it is discarded.
        try target.rename(to: draft.path)
      } catch {
        // The error above is the one to report.
      }
      throw failure(error)
    }
  }

  /// Removes what was written so far; whoever calls has the error to tell.
  func discard() { draft.remove() }

  private func failure(_ error: SystemError) -> NewModelBundleError {
    .unwritable(target, reason: error.reason)
  }
}
