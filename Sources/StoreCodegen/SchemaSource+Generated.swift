import StoreDiagnostics
import StoreModel

extension SchemaSource {
  /// The whole text of one file. The same source gives the same text.
  package func generated() -> GeneratedSource {
    switch style {
    case .types: plainTypes()
    case .managedObjects: managedObjects()
    case .swiftData: swiftData()
    }
  }

  /// `TodoModel`.
  var modelName: String { SwiftName.type(name) + "Model" }

  /// `TodoV1` for `Todo`, `TodoV2` for `Todo 2`, `TodoDraft` for `Draft`.
  func namespace(of version: String) -> String {
    var rest = version[...]
    if rest.hasPrefix(name) { rest = rest.dropFirst(name.count) }
    let label = rest.split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
    let bundle = SwiftName.type(name)
    if label.isEmpty { return bundle + "V1" }
    return bundle + (label.first?.isNumber == true ? "V" + label : SwiftName.type(label))
  }

  /// What stands first in every file.
  func writeHead(into out: inout SwiftWriter, hasUnderscores: Bool) {
    out.comment(
      "\(GeneratedSource.mark) from \(fileName). Do not edit: it is written anew.", mark: "//")
    if hasUnderscores { out.line("// swift-format-ignore-file: AlwaysUseLowerCamelCase") }
    out.gap()
  }
}

extension [VersionFinding] {
  /// The current version may also be one with a namespace.
  var withoutRepetition: [VersionFinding] {
    var seen: Set<[String]> = []
    return filter {
      seen.insert([$0.version, $0.part.map { "\($0)" } ?? "", $0.diagnostic.message]).inserted
    }
  }
}
