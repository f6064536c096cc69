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
