package import StoreDiagnostics

/// Names of versions, as people number them.
package enum VersionName {
  /// The name of the next version: `App 13` for `App 12`, `App 2` for `App`.
  package static func next(after name: String) -> String {
    let digits = name.reversed().prefix { ("0"..."9").contains($0) }
    guard let number = Int(String(digits.reversed())), number < Int.max else { return name + " 2" }
    return name.dropLast(digits.count) + "\(number + 1)"
  }

  /// `App 12` for `Models/App.xcdatamodeld/App 12.xcdatamodel/contents`; nil for another file.
  package static func ofModel(at path: FilePath) -> String? {
    let version = path.parent.name
    guard path.name == "contents", version.hasSuffix(ending) else { return nil }
    return "\(version.dropLast(ending.utf8.count))"
  }

  /// Without the ending of a version's folder.
  package static func stem(of name: String) -> String {
    name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
  }

  package static let ending = ".xcdatamodel"
}
