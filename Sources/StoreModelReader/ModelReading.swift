import ModelArchives
public import StoreDiagnostics
public import StoreModel
import StorePredicate

/// A model that was read, with the warnings about it.
///
/// Most errors in a fetch request, such as an invalid predicate, don't prevent the model from being read. They are in
/// the `faults` of the request's template.
public struct ModelReading: Sendable {
  /// The model.
  public let model: DataModel
  /// The warnings. For a model in XML, they are in the order of the file, and the last one can be a note that further
  /// issues were omitted.
  public let diagnostics: [DiagnosticMessage]
  /// The decoded XML with the locations of names. It is nil if the model wasn't read from XML.
  let xml: XML?
  /// The uncertain parts of a model that was inferred from the tables of a store.
  package var doubts: [Doubt] = []

  /// A sentence about an uncertain part of the model. If `part` is nil, the sentence is about the whole model.
  package struct Doubt: Hashable, Sendable {
    package let part: ModelPart?
    package let text: String

    package init(_ part: ModelPart?, _ text: String) {
      self.part = part
      self.text = text
    }
  }

  /// The positions of entities in Xcode's editor, by the entity's name. Files of Xcode 14 and later don't contain
  /// positions.
  package var frames: [String: EditorFrame] { xml?.syntax.frames ?? [:] }

  struct XML {
    let syntax: ModelSyntax
    let source: XMLSource
  }

  /// Reads the XML of one model version.
  ///
  /// - Throws: `XMLError` if the XML can't be parsed, or `DiagnosticError` with the errors and warnings if there is at
  ///   least one error.
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
  /// - Throws: `CompiledModelError` if the bytes aren't a compiled model.
  static func read(compiled bytes: [UInt8], of path: LocalPath, name: String) throws -> ModelReading
  {
    let decoded = try CompiledModel.decode(bytes, name: name)
    return ModelReading(model: decoded.model, diagnostics: decoded.diagnostics, xml: nil)
  }

  /// Returns the location of a part's name, or nil if the part doesn't exist or the model wasn't read from XML.
  package func place(of part: ModelPart) -> SourcePlace? {
    guard let xml, let spot = xml.syntax.spot(of: part) else { return nil }
    return xml.source.place(of: xml.source.range(of: spot).lowerBound)
  }

  /// Returns `diagnostic` with the location of a part's name and an excerpt of its line. If the part doesn't exist or
  /// the model wasn't read from XML, returns `diagnostic` unchanged.
  package func locate(_ diagnostic: DiagnosticMessage, at part: ModelPart) -> DiagnosticMessage {
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

  /// Returns an entity and its ancestors, from the entity to its root. The resolver has already rejected cycles.
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
  /// The issues of derived attributes: unknown names, collection operators on something that isn't a collection, values
  /// of the wrong type, and forms that Core Data might not compute. They don't prevent a store from being read.
  package var derivationFindings: [DiagnosticMessage] {
    derivations.flatMap { derived -> [DiagnosticMessage] in
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

    /// A warning about an expression that Core Data might not compute.
    var warning: DiagnosticMessage? {
      guard Derivation(expression) != nil else {
        return text.locate(
          DiagnosticMessage(
            .warning, "model.derivation-form",
            "Apple doesn't document this form of derivation, so storetool doesn't compute the attribute"
          ).helping(
            "use an attribute of the entity or of a to-one relationship; canonical:, uppercase: or"
              + " lowercase: of such an attribute; @count or @sum over a to-many relationship; or now()"
          ),
          at: expression.range.range)
      }
      guard let operation = expression.foldInTheMiddle else { return nil }
      return text.locate(
        DiagnosticMessage(
          .warning, "model.derivation-operator",
          "Core Data is reported to reject an operator that isn't the last part of a derivation"
        ).helping("put it last, as in 'items.price.@sum'"), at: operation.range)
    }
  }

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

  /// The issues of fetch indexes: predicates and expressions with syntax errors, unknown names, and values that can't
  /// be compared. They don't prevent a store from being read, because an invalid index is skipped.
  package var indexFindings: [DiagnosticMessage] {
    indexTexts.flatMap { entity, condition, expressions in
      let checker = PredicateChecker(model: model, entity: entity)
      let conditionFindings = condition.map { text in
        findings(in: text, readAs: .predicate) {
          try checker.check(indexCondition: FormatPredicate(parsing: text.text), in: text)
        }
      }
      return (conditionFindings ?? [])
        + expressions.flatMap { text in
          findings(in: text, readAs: .expression) {
            try checker.check(indexed: FormatExpression(parsing: text.text), in: text)
          }
        }
    }
  }

  private typealias IndexTexts = (
    entity: String, condition: PredicateText?, expressions: [PredicateText]
  )

  private var indexTexts: [IndexTexts] {
    guard let xml else {
      return model.entities.flatMap { entity in
        entity.indexes.map { index in
          func text(_ text: String) -> PredicateText {
            PredicateText(text, context: "in index '\(entity.name).\(index.name)'")
          }
          let expressions = index.elements.compactMap { element in
            if case .expression(let source, _) = element.target { text(source) } else { nil }
          }
          return (entity.name, index.partialPredicate.map(text), expressions)
        }
      }
    }
    return xml.syntax.entities.flatMap { entity in
      entity.indexes.map { (entity.name.text, $0.condition, $0.expressions) }
    }
  }

  private func findings(
    in text: PredicateText, readAs kind: PredicateSyntaxError.TextKind, _ check: () throws -> Void
  ) -> [DiagnosticMessage] {
    do {
      try check()
      return []
    } catch let error as PredicateSyntaxError {
      return [error.diagnostic(in: text, readAs: kind)]
    } catch {
      return [DiagnosticMessage](explaining: error)
    }
  }
}
