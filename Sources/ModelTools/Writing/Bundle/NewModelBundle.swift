package import StoreDiagnostics

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
}

extension NewModelBundle {
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
