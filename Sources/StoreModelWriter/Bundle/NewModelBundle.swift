/// An `.xcdatamodeld` that is to be made, as a value: every file with its text.
///
///     try NewModelBundle(at: "Todo.xcdatamodeld", versions: versions, current: "Todo 2").write()
package struct NewModelBundle: Hashable, Sendable {
  /// One version of the model.
  package struct Version: Hashable, Sendable {
    package var name: String
    /// Its XML.
    package var text: String

    package init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// A file by its path in the bundle.
  package struct File: Hashable, Sendable {
    package var path: [String]
    package var text: String
  }

  package let path: String
  package let versions: [Version]
  /// Those of the versions in their order, then the one that names the current version.
  package let files: [File]

  /// - Parameter current: the name of the version in use; nil where that is not known.
  /// - Throws: `NewModelBundleError` for names that no file can have, or that two versions share.
  package init(
    at path: String, versions: [Version], current: String?
  ) throws(NewModelBundleError) {
    var path = path[...]
    while path.hasSuffix("/"), path.count > 1 { path = path.dropLast() }
    self.path = String(path)
    let name = path.split(separator: "/").last ?? ""
    guard name.lowercased().hasSuffix(Self.bundleEnding), name != Self.bundleEnding else {
      throw .noBundleName(self.path)
    }
    try Self.check(versions.map(\.name))
    var files = versions.map { version in
      File(path: [version.name + Self.versionEnding, "contents"], text: version.text)
    }
    if let current, versions.contains(where: { $0.name == current }) {
      files.append(
        File(path: [".xccurrentversion"], text: Self.declaration(of: current)))
    }
    self.versions = versions
    self.files = files
  }

  private static let bundleEnding = ".xcdatamodeld"
  private static let versionEnding = ".xcdatamodel"

  /// A version's name comes from a file that anybody may have made, and becomes the name of a folder.
  private static func check(_ names: [String]) throws(NewModelBundleError) {
    var spellings: [String: String] = [:]
    for name in names {
      if let problem = FileNameProblem(of: name, with: versionEnding) {
        throw .unfitName(name, problem)
      }
      if let other = spellings.updateValue(name, forKey: name.lowercased()) {
        throw .sameName(name, other)
      }
    }
  }

  /// The property list as Xcode writes it.
  private static func declaration(of version: String) -> String {
    let name = (version + versionEnding).unicodeScalars.map { scalar in
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
      for file in files { try folder.add(file.text, at: file.path) }
      try folder.publish()
    } catch {
      folder.discard()
      throw error
    }
  }
}
