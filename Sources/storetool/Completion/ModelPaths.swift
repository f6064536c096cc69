import StoreDiagnostics
import StoreModelReader

/// The paths that TAB offers where a model may stand, or something else.
enum ModelPaths {
  /// What is in the folder that is typed: a bundle as it is, for all others may lead to one.
  static func candidates(after typed: String) -> [CompletionCandidate] {
    let folder = FilePath(typed).folder
    let names: [FilePath]
    do {
      names = try folder.names()
    } catch {
      return []
    }
    // A shell receives text.
    return names.filter { !$0.hasPrefix(".") && $0.text != nil }.map { name in
      let path: FilePath = "\(folder)\(name)"
      let isBundle = [".xcdatamodeld", ".xcdatamodel", ".momd"].contains(where: name.hasSuffix)
      return CompletionCandidate("\(path)" + (path.kind == .folder && !isBundle ? "/" : ""))
    }
  }
}
