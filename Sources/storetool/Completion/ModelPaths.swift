import StoreModelReader

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The paths that TAB offers where a model may stand, or something else.
enum ModelPaths {
  /// What is in the folder that is typed: a bundle as it is, for all others may lead to one.
  static func candidates(after typed: String) -> [CompletionCandidate] {
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    } catch {
      return []
    }
    return names.sorted().filter { !$0.hasPrefix(".") }.map { name in
      var isFolder = false
      let isThere = FileManager.default.fileExists(atPath: folder + name, isDirectory: &isFolder)
      let isBundle = [".xcdatamodeld", ".xcdatamodel", ".momd"].contains(where: name.hasSuffix)
      return CompletionCandidate(folder + name + (isThere && isFolder && !isBundle ? "/" : ""))
    }
  }
}
