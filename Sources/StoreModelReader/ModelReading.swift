import ModelArchives
public import StoreDiagnostics
public import StoreModel
import StorePredicate

/// A model that was read, with the warnings on the way.
///
/// Faults of fetch-request templates are with the templates: `model.templates[…].faults`.
public struct ModelReading: Sendable {
  public let model: Model
  /// In the order of the file; none is an error.
  public let diagnostics: [Diagnostic]
  /// For the locations of names; nil for a model that is not XML.
  let xml: XML?
  /// What is not certain of a model that was inferred.
  package var doubts: [Doubt] = []

  /// A sentence about a part of the model, or about the whole of it.
  package struct Doubt: Hashable, Sendable {
    package let part: ModelPart?
    package let text: String

    package init(_ part: ModelPart?, _ text: String) {
      self.part = part
      self.text = text
    }
  }

  /// Where Xcode's editor draws the entities, by name; empty where the file does not say, as since Xcode 14.
  package var frames: [String: EditorFrame] { xml?.syntax.frames ?? [:] }

  struct XML {
    let syntax: ModelSyntax
    let source: XMLSource
  }

  /// Reads the XML of one model version.
  ///
  /// - Throws: `XMLError` when the XML can't be read; `DiagnosticError` with all mistakes of the
  ///   model, warnings included, when at least one is an error.
  package static func read(_ source: XMLSource, name: String) throws -> ModelReading {
    let root = try XMLReader.read(source)
    var decoder = ModelDecoder(findings: Findings(source: source))
    let syntax = decoder.decode(root)
    var resolver = ModelResolver(syntax, findings: decoder.findings)
    guard let model = resolver.resolve(name: name) else {
      throw DiagnosticError(resolver.findings.diagnostics)
    }
    return ModelReading(
      model: model, diagnostics: resolver.findings.diagnostics,
      xml: XML(syntax: syntax, source: source))
  }
  /// Reads the archive of one compiled version.
  ///
  /// - Throws: `CompiledModelFailure`, with the file's path, when it is no such archive.
  static func read(compiled bytes: [UInt8], of path: FilePath, name: String) throws -> ModelReading
  {
    let decoded = try CompiledModel.decode(bytes, name: name)
    return ModelReading(model: decoded.model, diagnostics: decoded.diagnostics, xml: nil)
  }

  /// Where the part's name stands; nil for one that the model does not have.
  package func place(of part: ModelPart) -> SourcePlace? {
    guard let xml, let spot = xml.syntax.spot(of: part) else { return nil }
    return xml.source.place(of: xml.source.range(of: spot).lowerBound)
  }

  /// Puts a diagnostic at a part's name, with the line of XML; unplaced where there is no such part.
  package func locate(_ diagnostic: Diagnostic, at part: ModelPart) -> Diagnostic {
    guard let xml, let spot = xml.syntax.spot(of: part) else { return diagnostic }
    return xml.source.locate(diagnostic, at: spot)
  }
}

extension ModelSyntax {
  fileprivate func spot(of part: ModelPart) -> XMLSpot? {
    switch part {
    case .entity(let name): entity(named: name)?.name.spot
    case .property(let name, let owner):
      chain(of: owner).lazy.flatMap(\.propertyNames).first { $0.text == name }?.spot
    case .index(let name, let owner):
      entity(named: owner)?.indexes.compactMap(\.name).first { $0.text == name }?.spot
    case .template(let name): templates.first { $0.name.text == name }?.name.spot
    case .configuration(let name): configurations.first { $0.name.text == name }?.name.spot
    case .composite(let name): composites.first { $0.name.text == name }?.name.spot
    }
  }

  private func entity(named name: String) -> EntitySyntax? {
    entities.first { $0.name.text == name }
  }

  /// The entity and its ancestors, the nearest first; the resolver has found no cycle in them.
  private func chain(of name: String) -> [EntitySyntax] {
    var chain: [EntitySyntax] = []
    var next = entity(named: name)
    while let entity = next {
      chain.append(entity)
      next = entity.parent.flatMap { self.entity(named: $0.text) }
    }
    return chain
  }
}

extension ModelReading {
  /// What is wrong with the expressions of derived attributes, given the model: names that it does not
  /// have, operators where they fold nothing, values of another type.
  ///
  /// None of it keeps a store from being read, so the model is there nonetheless.
  package var derivationFindings: [Diagnostic] {
    derivations.flatMap { derived -> [Diagnostic] in
      let checker = PredicateChecker(model: model, entity: derived.entity)
      do throws(CheckErrors) {
        try checker.check(
          derivation: derived.expression, as: derived.type, in: derived.text)
        return derived.warning.map { [$0] } ?? []
      } catch {
        return error.diagnostics
      }
    }
  }

  private struct Derived {
    var entity: String
    var type: AttributeType
    var expression: FormatExpression
    var text: PredicateText

    /// What Core Data may not compute.
    var warning: Diagnostic? {
      guard Derivation(expression) != nil else {
        return text.locate(
          Diagnostic(
            .warning, "model.derivation-form",
            "Apple documents no such derivation, and the attribute stays empty"
          ).helping(
            "derive it from an attribute of the entity or of a to-one, from canonical:, uppercase: or"
              + " lowercase: of one, from @count or @sum over a to-many, or from now()"),
          at: expression.range.range)
      }
      guard let operation = expression.foldInTheMiddle else { return nil }
      return text.locate(
        Diagnostic(
          .warning, "model.derivation-operator",
          "Core Data is reported to refuse an operator that isn't the last part of a derivation"
        ).helping("put it last, as in 'items.price.@sum'"), at: operation.range)
    }
  }

  /// In the order of the file.
  private var derivations: [Derived] {
    guard let xml else {
      return model.entities.flatMap { entity in
        entity.attributes.compactMap { attribute in
          attribute.derivation.map { expression in
            Derived(
              entity: entity.name, type: attribute.type, expression: expression,
              text: PredicateText(
                expression.description,
                context: "in derived attribute '\(entity.name).\(attribute.name)'"))
          }
        }
      }
    }
    return xml.syntax.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        guard let expression = attribute.attribute.derivation, let text = attribute.derivation
        else { return nil }
        return Derived(
          entity: entity.name.text, type: attribute.attribute.type, expression: expression,
          text: text)
      }
    }
  }

  /// What is wrong with the conditions of partial fetch indexes and with the expressions that indexes are over: text that is
  /// no predicate, names that the model does not have, values that can't be compared.
  ///
  /// None of it keeps a store from being read: such an index is left out.
  package var indexFindings: [Diagnostic] {
    indexTexts.flatMap { texts in
      let checker = PredicateChecker(model: model, entity: texts.entity)
      return (texts.condition.map { findings(inCondition: $0, checker) } ?? [])
        + texts.expressions.flatMap { findings(inExpression: $0, checker) }
    }
  }

  private struct IndexTexts {
    var entity: String
    var condition: PredicateText?
    var expressions: [PredicateText]
  }

  /// In the order of the file.
  private var indexTexts: [IndexTexts] {
    guard let xml else {
      return model.entities.flatMap { entity in
        entity.indexes.map { index in
          func text(_ text: String) -> PredicateText {
            PredicateText(text, context: "in index '\(entity.name).\(index.name)'")
          }
          return IndexTexts(
            entity: entity.name, condition: index.partialPredicate.map(text),
            expressions: index.elements.compactMap { element in
              if case .expression(let expression, _) = element.target {
                text(expression)
              } else {
                nil
              }
            })
        }
      }
    }
    return xml.syntax.entities.flatMap { entity in
      entity.indexes.map {
        IndexTexts(
          entity: entity.name.text, condition: $0.condition, expressions: $0.expressions)
      }
    }
  }

  private func findings(
    inCondition text: PredicateText, _ checker: PredicateChecker
  ) -> [Diagnostic] {
    do throws(PredicateSyntaxError) {
      let predicate = try FormatPredicate(parsing: text.text)
      return findings { () throws(CheckErrors) in
        try checker.check(indexCondition: predicate, in: text)
      }
    } catch {
      return [error.diagnostic(in: text)]
    }
  }

  private func findings(
    inExpression text: PredicateText, _ checker: PredicateChecker
  ) -> [Diagnostic] {
    do throws(PredicateSyntaxError) {
      let expression = try FormatExpression(parsing: text.text)
      return findings { () throws(CheckErrors) in
        try checker.check(indexed: expression, in: text)
      }
    } catch {
      return [error.diagnostic(in: text)]
    }
  }

  private func findings(_ check: () throws(CheckErrors) -> Void) -> [Diagnostic] {
    do throws(CheckErrors) {
      try check()
      return []
    } catch {
      return error.diagnostics
    }
  }
}
