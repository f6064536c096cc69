import StoreDiagnostics
import StoreModel
import StorePredicate

extension FetchRequestTemplate {
  /// The template with its predicate as a tree, and with its faults where it has some. Where it stands
  /// in the model's file is left out: the same model gives the same text in every folder.
  var code: SwiftCode {
    func flag(_ label: String, _ value: Bool, assumed: Bool) -> SwiftCode? {
      value == assumed ? nil : .text("\(label): \(value)")
    }
    let arguments: [SwiftCode?] = [
      .text("name: \(SwiftLiteral.string(name))"), .text("entity: \(SwiftLiteral.string(entity))"),
      predicateText.map { .labelled("predicateText", $0.code) },
      predicate.map { .labelled("predicate", SwiftCode($0)) },
      faults.isEmpty ? nil : .labelled("faults", .array(faults.map { $0.swiftCode })),
      limit == 0 ? nil : .text("limit: \(limit)"),
      batchSize == 0 ? nil : .text("batchSize: \(batchSize)"),
      flag("includesSubentities", includesSubentities, assumed: true),
      flag("includesPropertyValues", includesPropertyValues, assumed: true),
      flag("returnsObjectsAsFaults", returnsObjectsAsFaults, assumed: true),
      flag("returnsDistinctResults", returnsDistinctResults, assumed: false),
      flag("includesPendingChanges", includesPendingChanges, assumed: true),
      resultType == .objects ? nil : .text("resultType: .\(resultType)"),
    ]
    return .call(".init", arguments.compactMap(\.self))
  }
}

extension PredicateText {
  fileprivate var code: SwiftCode {
    var arguments: [SwiftCode] = [.text(SwiftLiteral.string(text))]
    if let context { arguments.append(.text("context: \(SwiftLiteral.string(context))")) }
    return .call(".init", arguments)
  }
}

extension Diagnostic {
  fileprivate var swiftCode: SwiftCode {
    var arguments: [SwiftCode] = [
      .text(".\(severity)"), .text(SwiftLiteral.string(code)), .text(SwiftLiteral.string(message)),
    ]
    if cause != .invalid { arguments.append(.text("cause: .\(cause)")) }
    if !help.isEmpty {
      arguments.append(.labelled("help", SwiftLiteral.strings(help.map(\.description))))
    }
    return .call(".init", arguments)
  }
}

extension Model {
  /// Some template or fetched property can't be used.
  var usesFaults: Bool {
    let requests = templates + entities.flatMap { $0.fetchedProperties.map(\.request) }
    return requests.contains { !$0.faults.isEmpty }
  }
}
