import StoreDiagnostics
import StoreModel
import StorePredicate

extension FetchRequestTemplate {
  /// The template with its predicate as a tree, and with its faults where it has some. Where it stands
  /// in the model's file is left out: the same model gives the same text in every folder.
  var code: SwiftCode {
    .initializer(
      .text("name: \(SwiftLiteral.string(name))"), .text("entity: \(SwiftLiteral.string(entity))"),
      predicateText.map { .labelled("predicateText", $0.code) },
      predicate.map { .labelled("predicate", SwiftCode($0)) },
      .labelled("faults", listing: faults.map { $0.swiftCode }),
      limit == 0 ? nil : .text("limit: \(limit)"),
      batchSize == 0 ? nil : .text("batchSize: \(batchSize)"),
      .labelled("includesSubentities", includesSubentities, assumed: true),
      .labelled("includesPropertyValues", includesPropertyValues, assumed: true),
      .labelled("returnsObjectsAsFaults", returnsObjectsAsFaults, assumed: true),
      .labelled("returnsDistinctResults", returnsDistinctResults, assumed: false),
      .labelled("includesPendingChanges", includesPendingChanges, assumed: true),
      resultType == .objects ? nil : .text("resultType: .\(resultType)"))
  }
}

extension PredicateText {
  fileprivate var code: SwiftCode {
    .initializer(.string(text), context.map { .labelled("context", .string($0)) })
  }
}

extension Diagnostic {
  fileprivate var swiftCode: SwiftCode {
    .initializer(
      .text(".\(severity)"), .string(code), .string(message),
      cause == .invalid ? nil : .text("cause: .\(cause)"),
      .labelled("help", listing: help.map { .string($0.description) }))
  }
}

extension Model {
  /// Some template or fetched property can't be used.
  var usesFaults: Bool {
    let requests = templates + entities.flatMap { $0.fetchedProperties.map(\.request) }
    return requests.contains { !$0.faults.isEmpty }
  }
}
