import StoreModel

extension UnitEmitter {
  /// What a program migrates stores with.
  func emit(_ history: Unit.History, into out: inout SwiftWriter) {
    out.gap()
    out.line(
      .row([
        "\(open)static let versions: [any \(types.library("SchemaModel")).Type] = ",
        .array(history.schemas.map { .text("\($0).self") }),
      ]))
    out.gap()
    out.line(
      .row([
        "\(open)static let migrations: [\(types.library("MigrationDefinition"))] = ",
        .array(history.migrations.map { $0.code }),
      ]))
  }
}

private func string(_ text: String) -> SwiftCode { .text(SwiftLiteral.string(text)) }

private func list(_ label: String, _ items: [SwiftCode]) -> SwiftCode? {
  items.isEmpty ? nil : .labelled(label, .array(items))
}

private func compact(_ arguments: [SwiftCode?]) -> [SwiftCode] { arguments.compactMap(\.self) }

extension MigrationDefinition {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        .labelled("from", string(from.meaning)), .labelled("to", string(to.meaning)),
        list("entities", entities.map { $0.code }), list("drops", drops.map { $0.code }),
        list("statements", statements.map { $0.code }),
        isMappingModel ? .labelled("isMappingModel", "true") : nil,
      ]))
  }
}

extension EntityDefinition {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        string(name.meaning), source.map { .labelled("from", string($0.meaning)) },
        filter.map { .labelled("where", SwiftCode($0.meaning)) },
        list("attributes", attributes.map { $0.code }),
        list("relationships", relationships.map { $0.code }),
      ]))
  }
}

extension AttributeDefinition {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        string(name.meaning), value.map { .labelled("value", SwiftCode($0.meaning)) },
        fallback.map { .labelled("default", SwiftCode($0.meaning)) },
      ]))
  }
}

extension RelationshipDefinition {
  fileprivate var code: SwiftCode {
    let destinations: SwiftCode =
      switch destinations {
      case .path(let path): .labelled("path", SwiftCode(path.meaning))
      case .matching(let match): .labelled("matching", SwiftCode(match.meaning))
      }
    return .call(".init", [string(name.meaning), destinations])
  }
}

extension DropDefinition {
  fileprivate var code: SwiftCode {
    .call(
      ".init",
      compact([
        .labelled("entity", string(entity.meaning)),
        property.map { .labelled("property", string($0.meaning)) },
        filter.map { .labelled("where", SwiftCode($0.meaning)) },
      ]))
  }
}

extension StatementDefinition {
  fileprivate var code: SwiftCode {
    .call(".init", [.text(".\(moment)"), .labelled("sql", string(sql.meaning))])
  }
}
