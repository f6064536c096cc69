import StoreDiagnostics
import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension UnitEmitter {
  /// The model as a value, an entity each in a constant of its own: the compiler checks them one by one.
  mutating func emitSchema(into out: inout SwiftWriter) {
    if model.usesFaults { imports.insert(.diagnostics) }
    out.line(
      .row([
        "\(open)static let model: StoreModel.Model = ",
        .call(
          ".init",
          compact([
            labelled("name", model.name),
            model.versionIdentifiers == [""]
              ? nil
              : .labelled("versionIdentifiers", SwiftLiteral.strings(model.versionIdentifiers)),
            .labelled(
              "entities", .array(model.entities.map { .text(names.constant(of: $0.name)) })),
            list("templates", model.templates.map { $0.code }),
            list("configurations", model.configurations.map { $0.code }),
            list("composites", model.composites.map { $0.code }),
          ])),
      ]))
    if let hashes = unit.version.hashes {
      out.gap()
      emitHashes(hashes, into: &out)
    }
    if let history = unit.history { emit(history, into: &out) }
    for entity in model.entities {
      out.gap()
      out.line(
        .row([
          "private static let \(names.constant(of: entity.name)): StoreModel.Entity = ",
          entity.code,
        ]))
    }
  }

  private func emitHashes(_ hashes: [String: [UInt8]], into out: inout SwiftWriter) {
    let string = types.swift("String")
    let texts = hashes.mapValues {
      SwiftCode.text(SwiftLiteral.string(Data($0).base64EncodedString()))
    }
    out.line(
      .row(["\(open)static let versionHashes: [\(string): \(string)] = ", .dictionary(texts)]))
  }
}

// MARK: Arguments, left out where they say what is assumed anyway

private func compact(_ arguments: [SwiftCode?]) -> [SwiftCode] { arguments.compactMap(\.self) }

private func labelled(_ label: String, _ text: String?) -> SwiftCode? {
  text.map { .labelled(label, .text(SwiftLiteral.string($0))) }
}

private func flag(_ label: String, _ value: Bool, assumed: Bool = false) -> SwiftCode? {
  value == assumed ? nil : .text("\(label): \(value)")
}

private func number(_ label: String, _ value: Int?) -> SwiftCode? {
  value.map { .text("\(label): \($0)") }
}

private func list(_ label: String, _ items: [SwiftCode]) -> SwiftCode? {
  items.isEmpty ? nil : .labelled(label, .array(items))
}

private func userInfo(_ entries: [String: String]) -> SwiftCode? {
  entries.isEmpty
    ? nil
    : .labelled("userInfo", .dictionary(entries.mapValues { .text(SwiftLiteral.string($0)) }))
}

// MARK: The parts of a model

extension Entity {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        labelled("name", name), labelled("parent", parent), flag("isAbstract", isAbstract),
        labelled("className", className), labelled("codeGeneration", codeGeneration),
        list("attributes", attributes.map { $0.code }),
        list("relationships", relationships.map { $0.code }),
        list("fetchedProperties", fetchedProperties.map { $0.code }),
        list("indexes", indexes.map { $0.code }),
        list("uniquenessConstraints", uniquenessConstraints.map { SwiftLiteral.strings($0) }),
        labelled("renamingIdentifier", renamingIdentifier),
        labelled("versionHashModifier", versionHashModifier), StoreCodegen.userInfo(userInfo),
      ]))
  }
}

extension Attribute {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        labelled("name", name), .labelled("type", type.code), flag("isOptional", isOptional),
        flag("isTransient", isTransient),
        defaultValue.map { .labelled("defaultValue", SwiftCode($0)) },
        validation == Validation() ? nil : .labelled("validation", validation.code),
        flag("isIndexed", isIndexed), flag("allowsExternalStorage", allowsExternalStorage),
        flag("isPreservedAfterDeletion", isPreservedAfterDeletion),
        flag("allowsCloudEncryption", allowsCloudEncryption),
        flag("isIndexedBySpotlight", isIndexedBySpotlight),
        flag("usesScalarValueType", usesScalarValueType),
        labelled("valueTransformer", valueTransformer),
        labelled("customClassName", customClassName),
        derivation.map { .labelled("derivation", SwiftCode($0)) },
        labelled("renamingIdentifier", renamingIdentifier),
        labelled("versionHashModifier", versionHashModifier), StoreCodegen.userInfo(userInfo),
      ]))
  }
}

extension Attribute.Validation {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        minimum.map { .labelled("minimum", SwiftCode($0)) },
        maximum.map { .labelled("maximum", SwiftCode($0)) }, labelled("pattern", pattern),
      ]))
  }
}

extension AttributeType {
  fileprivate var code: SwiftCode {
    if case .composite(let name) = self {
      return .call(".composite", [.text(SwiftLiteral.string(name))])
    }
    return .text(".\(self)")
  }
}

extension Relationship {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        labelled("name", name), labelled("destination", destination), labelled("inverse", inverse),
        isToMany ? .text("cardinality: .toMany(ordered: \(isOrdered))") : nil,
        flag("isOptional", isOptional), flag("isTransient", isTransient),
        number("minimumCount", minimumCount), number("maximumCount", maximumCount),
        flag("isOrderedToOne", isOrderedToOne),
        deleteRule == .nullify ? nil : .text("deleteRule: .\(deleteRule)"),
        flag("isIndexed", isIndexed), labelled("renamingIdentifier", renamingIdentifier),
        labelled("versionHashModifier", versionHashModifier), StoreCodegen.userInfo(userInfo),
      ]))
  }
}

extension FetchedProperty {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        labelled("name", name), .labelled("request", request.code), StoreCodegen.userInfo(userInfo),
      ]))
  }
}

extension FetchIndex {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        labelled("name", name), .labelled("elements", .array(elements.map { $0.code })),
        labelled("partialPredicate", partialPredicate),
        origin == .fetchIndex ? nil : .text("origin: .\(origin)"),
      ]))
  }
}

extension FetchIndex.Element {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        target.code, kind == .binary ? nil : .text("kind: .\(kind)"),
        flag("isAscending", isAscending, assumed: true),
      ]))
  }
}

extension FetchIndex.Element.Target {
  fileprivate var code: SwiftCode {
    switch self {
    case .property(let name): .call(".property", [.text(SwiftLiteral.string(name))])
    case .expression(let text, let type):
      .call(".expression", [.text(SwiftLiteral.string(text)), .labelled("type", type.code)])
    }
  }
}

extension Configuration {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        labelled("name", name), .labelled("entities", SwiftLiteral.strings(entities)),
      ]))
  }
}

extension Composite {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        labelled("name", name), .labelled("attributes", .array(attributes.map { $0.code })),
      ]))
  }
}
