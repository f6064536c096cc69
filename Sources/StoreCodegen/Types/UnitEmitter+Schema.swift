import StoreDiagnostics
import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension UnitEmitter {
  /// Writes the model as a constant. Each entity is a separate constant, so that the compiler doesn't have to
  /// type-check one large expression.
  mutating func emitSchema(into out: inout SwiftWriter) {
    out.line(
      "\(open)static let model: \(types.library("DataModel")) = ",
      .initializer(
        labelled("name", model.name),
        model.versionIdentifiers == [""]
          ? nil
          : .labelled("versionIdentifiers", SwiftLiteral.strings(model.versionIdentifiers)),
        .labelled("entities", .array(model.entities.map { .text(names.constant(of: $0.name)) })),
        .labelled("templates", listing: model.templates.map { $0.code }),
        .labelled("configurations", listing: model.configurations.map { $0.code }),
        .labelled("composites", listing: model.composites.map { $0.code })))
    if let hashes = unit.version.hashes {
      let string = types.swift("String")
      let texts = hashes.mapValues { SwiftCode.string(Data($0).base64EncodedString()) }
      out.gap()
      out.line(
        "\(open)static let versionHashes: [\(string): \(string)] = ", .dictionary(texts))
    }
    if let history = unit.history { emit(history, into: &out) }
    for entity in model.entities {
      out.gap()
      out.line(
        "private static let \(names.constant(of: entity.name)): \(types.library("EntityDescription")) = ",
        entity.code)
    }
  }
}

// MARK: Arguments, which are omitted if they have the default value

private func labelled(_ label: String, _ text: String?) -> SwiftCode? {
  text.map { .labelled(label, .string($0)) }
}

private func number(_ label: String, _ value: Int?) -> SwiftCode? {
  value.map { .text("\(label): \($0)") }
}

private func userInfo(_ entries: [String: String]) -> SwiftCode? {
  entries.isEmpty ? nil : .labelled("userInfo", .dictionary(entries.mapValues { .string($0) }))
}

// MARK: The parts of a model

extension EntityDescription {
  fileprivate var code: SwiftCode {
    .initializer(
      labelled("name", name), labelled("parent", parent), .labelled("isAbstract", isAbstract),
      labelled("className", className), labelled("codeGeneration", codeGeneration),
      .labelled("attributes", listing: attributes.map { $0.code }),
      .labelled("relationships", listing: relationships.map { $0.code }),
      .labelled("fetchedProperties", listing: fetchedProperties.map { $0.code }),
      .labelled("indexes", listing: indexes.map { $0.code }),
      .labelled(
        "uniquenessConstraints", listing: uniquenessConstraints.map { SwiftLiteral.strings($0) }),
      labelled("renamingIdentifier", renamingIdentifier),
      labelled("versionHashModifier", versionHashModifier), StoreCodegen.userInfo(userInfo))
  }
}

extension AttributeDescription {
  fileprivate var code: SwiftCode {
    .initializer(
      labelled("name", name), .labelled("type", type.code), .labelled("isOptional", isOptional),
      .labelled("isTransient", isTransient),
      defaultValue.map { .labelled("defaultValue", SwiftCode($0)) },
      validation == Validation() ? nil : .labelled("validation", validation.code),
      .labelled("isIndexed", isIndexed), .labelled("allowsExternalStorage", allowsExternalStorage),
      .labelled("isPreservedAfterDeletion", isPreservedAfterDeletion),
      .labelled("allowsCloudEncryption", allowsCloudEncryption),
      .labelled("isIndexedBySpotlight", isIndexedBySpotlight),
      .labelled("usesScalarValueType", usesScalarValueType),
      labelled("valueTransformer", valueTransformer),
      labelled("customClassName", customClassName),
      derivation.map { .labelled("derivation", SwiftCode($0)) },
      labelled("renamingIdentifier", renamingIdentifier),
      labelled("versionHashModifier", versionHashModifier), StoreCodegen.userInfo(userInfo))
  }
}

extension AttributeDescription.Validation {
  fileprivate var code: SwiftCode {
    .initializer(
      minimum.map { .labelled("minimum", SwiftCode($0)) },
      maximum.map { .labelled("maximum", SwiftCode($0)) }, labelled("pattern", pattern))
  }
}

extension AttributeType {
  fileprivate var code: SwiftCode {
    if case .composite(let name) = self {
      return .call(".composite", [.string(name)])
    }
    return .text(".\(self)")
  }
}

extension RelationshipDescription {
  fileprivate var code: SwiftCode {
    .initializer(
      labelled("name", name), labelled("destination", destination), labelled("inverse", inverse),
      isToMany ? .text("cardinality: .toMany(ordered: \(isOrdered))") : nil,
      .labelled("isOptional", isOptional), .labelled("isTransient", isTransient),
      number("minimumCount", minimumCount), number("maximumCount", maximumCount),
      .labelled("isOrderedToOne", isOrderedToOne),
      deleteRule == .nullify ? nil : .text("deleteRule: .\(deleteRule)"),
      .labelled("isIndexed", isIndexed), labelled("renamingIdentifier", renamingIdentifier),
      labelled("versionHashModifier", versionHashModifier), StoreCodegen.userInfo(userInfo))
  }
}

extension FetchedProperty {
  fileprivate var code: SwiftCode {
    .initializer(
      labelled("name", name), .labelled("request", request.code), StoreCodegen.userInfo(userInfo))
  }
}

extension FetchIndex {
  fileprivate var code: SwiftCode {
    .initializer(
      labelled("name", name), .labelled("elements", .array(elements.map { $0.code })),
      labelled("partialPredicate", partialPredicate),
      origin == .fetchIndex ? nil : .text("origin: .\(origin)"))
  }
}

extension FetchIndex.Element {
  fileprivate var code: SwiftCode {
    .initializer(
      target.code, kind == .binary ? nil : .text("kind: .\(kind)"),
      .labelled("isAscending", isAscending, assumed: true))
  }
}

extension FetchIndex.Element.Target {
  fileprivate var code: SwiftCode {
    switch self {
    case .property(let name): .call(".property", [.string(name)])
    case .expression(let text, let type):
      .call(".expression", [.string(text), .labelled("type", type.code)])
    }
  }
}

extension ConfigurationDescription {
  fileprivate var code: SwiftCode {
    .initializer(
      labelled("name", name), .labelled("entities", SwiftLiteral.strings(entities)))
  }
}

extension CompositeDescription {
  fileprivate var code: SwiftCode {
    .initializer(
      labelled("name", name), .labelled("attributes", .array(attributes.map { $0.code })))
  }
}
