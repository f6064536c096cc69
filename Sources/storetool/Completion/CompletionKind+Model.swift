import ArgumentParser
import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate

/// Completions for names in the available models.
extension CompletionKind {
  /// The names of all entities.
  static var entities: CompletionKind {
    .offering { line in
      names(of: line) { _ in true }
    }
  }

  /// The names of the entities that aren't abstract.
  static var concreteEntities: CompletionKind {
    .offering { line in
      names(of: line) { !$0.isAbstract }
    }
  }

  /// The names of the entities that the command line doesn't contain yet, for arguments that can be repeated.
  static var furtherEntities: CompletionKind {
    .offering { line in
      let named = Set(line.values(of: "entities") + line.values(of: "--entity"))
      return names(of: line) { !named.contains($0.name) }
    }
  }

  /// The names of fetch-request templates and fetched properties.
  static var templates: CompletionKind {
    .offering { line in
      line.models.flatMap { $0.templates + $0.fetchedPropertyTemplates }
        .map { CompletionCandidate($0.name, $0.entity) }
    }
  }

  /// `NAME=` for each variable of the template that isn't set yet. After `NAME=`, the values of a Boolean variable.
  static var variables: CompletionKind {
    .offering { line in
      let template = line.value(of: "template") ?? ""
      let set = line.assigned(by: "variables") + line.assigned(by: "VAR=value")
      return try line.models.flatMap { model in
        try model.template(named: template)?.checked(in: model).variables ?? []
      }
      .filter { !set.contains($0.name) }
      .flatMap { variable in
        assignments(
          to: variable.name, line, variable.type.description,
          isBoolean: variable.type == .attribute(.boolean))
      }
    }
  }

  /// `name=` for each attribute and `name:=(` for each to-one relationship, without transient and derived attributes,
  /// and without properties that are already set. After `name=`, the values of a Boolean attribute.
  static var assignments: CompletionKind {
    .offering { line in
      let set = line.assigned(by: "key=value")
      return line.entities.flatMap { model, entity -> [CompletionCandidate] in
        let attributes = model.attributes(of: entity).filter {
          !$0.isTransient && $0.derivation == nil && !set.contains($0.name)
        }
        let relationships = model.relationships(of: entity).filter {
          !$0.isToMany && !set.contains($0.name)
        }
        return attributes.flatMap {
          assignments(to: $0.name, line, $0.type.name, isBoolean: $0.type == .boolean)
        }
          + relationships.flatMap { row(for: $0, line, in: model) }
      }
    }
  }

  /// A key path from the entity that the command line specifies.
  static func keyPath(for purpose: KeyPathCompletion.Purpose) -> CompletionKind {
    .offering { line in
      line.entities.flatMap { model, entity in
        KeyPathCompletion(model: model, purpose: purpose).candidates(
          from: entity, after: line.current.text)
      }
    }
  }

  /// The key path at the end of a predicate, or of a list of key paths and expressions.
  static func predicate(for purpose: KeyPathCompletion.Purpose = .predicate) -> CompletionKind {
    .offering { line in
      guard let text = PredicateCompletion(line.current.text) else { return [] }
      return line.entities.flatMap { model, entity in
        text.candidates(from: entity, in: model, for: purpose)
      }
    }
  }

  /// `property=` for the option `--map` of an import.
  static var mappedProperties: CompletionKind {
    .offering { line in
      line.entities.flatMap { model, entity in
        KeyPathCompletion(model: model, purpose: .assignment)
          .candidates(from: entity, after: line.current.text)
      }
      .map { CompletionCandidate($0.word.hasSuffix(".") ? $0.word : $0.word + "=", $0.note) }
    }
  }

  /// The names of attributes and relationships of the specified entity, or of all entities if none is specified.
  static var properties: CompletionKind {
    .offering { line in
      let named = line.entities
      let all =
        named.isEmpty ? line.models.flatMap { model in model.entities.map { (model, $0) } } : named
      return all.flatMap { model, entity in
        model.attributes(of: entity).map { CompletionCandidate($0.name, $0.type.name) }
          + model.relationships(of: entity).map { CompletionCandidate($0.name, $0.destination) }
      }
    }
  }

  /// The last element of a list of entities and properties, such as `Item,List.note`.
  static var partsOfModel: CompletionKind {
    .offering { line in
      let text = line.current.text
      let head = String(
        text[..<(text.lastIndex(of: ",").map { text.index(after: $0) } ?? text.startIndex)])
      let entity = text.dropFirst(head.count).split(
        separator: ".", omittingEmptySubsequences: false)
      return line.models.flatMap { model -> [CompletionCandidate] in
        guard entity.count == 2, let entity = model.entity(named: String(entity[0])) else {
          return model.entities.flatMap { entity in
            [
              CompletionCandidate(head + entity.name),
              CompletionCandidate(head + entity.name + "."),
            ]
          }
        }
        return (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map {
          CompletionCandidate("\(head)\(entity.name).\($0)")
        }
      }
    }
  }

  /// The versions of the available models.
  static var versions: CompletionKind {
    .offering { line in
      line.versions.map { CompletionCandidate($0.name, $0.isCurrent ? "current" : nil) }
    }
  }

  /// The versions of the available models, and paths that may lead to a model.
  static var versionsAndPaths: CompletionKind {
    .offering { line in
      line.versions.map { CompletionCandidate($0.name, $0.isCurrent ? "current" : nil) }
        + ModelPaths.candidates(after: line.current.text)
    }
  }

  /// Files with the extension of a store.
  static var stores: CompletionKind {
    .file(extensions: StoreAtHand.suffixes.map { String($0.dropFirst()) })
  }

  /// Returns the names of the entities that can follow.
  private static func names(
    of line: CompletionLine, where isOffered: (EntityDescription) -> Bool
  ) -> [CompletionCandidate] {
    line.models.flatMap(\.entities).filter(isOffered).map(\.name).sorted()
      .map { CompletionCandidate($0) }
  }

  private static func assignments(
    to name: String, _ line: CompletionLine, _ type: String, isBoolean: Bool
  ) -> [CompletionCandidate] {
    guard line.current.text.hasPrefix(name + "=") else {
      return [CompletionCandidate(name + "=", type)]
    }
    return isBoolean ? ["true", "false"].map { CompletionCandidate("\(name)=\($0)") } : []
  }

  /// Returns completions for the predicate that selects the destination of a to-one relationship, such as
  /// `department:=(name == "Research")`.
  private static func row(
    for relationship: RelationshipDescription, _ line: CompletionLine, in model: DataModel
  ) -> [CompletionCandidate] {
    let head = relationship.name + ":=("
    guard line.current.text.hasPrefix(head),
      let text = PredicateCompletion(String(line.current.text.dropFirst(head.count))),
      let destination = model.entity(named: relationship.destination)
    else { return [CompletionCandidate(head, relationship.destination, mayGoOn: true)] }
    return text.candidates(from: destination, in: model, for: .predicate)
      .map { CompletionCandidate(head + $0.word, $0.note, mayGoOn: true) }
  }

  /// Returns a completion whose candidates depend on the unfinished command line. After an error there are no
  /// candidates, because a message would disturb the user's line.
  private static func offering(
    _ candidates: @escaping @Sendable (CompletionLine) throws -> [CompletionCandidate]
  ) -> CompletionKind {
    .custom { words, index, _ in
      let shell = CompletionShell.requesting
      let isRaw = shell != .fish || CompletionShell.requestingVersion?.hasPrefix("3.") != true
      do {
        let line = try CompletionLine(words, at: index, isRaw: isRaw)
        return ShellAnswer(current: line.current, shell: shell).lines(try candidates(line))
      } catch {
        return []
      }
    }
  }
}

extension CompletionLine {
  /// Returns the names that the command line sets by `name=value` or `name:=expression`, except at the cursor.
  ///
  /// - Parameter argument: The name of the argument in the help.
  fileprivate func assigned(by argument: String) -> [String] {
    values(of: argument).map { String($0.prefix { $0 != "=" && $0 != ":" }) }
  }
}

/// Completions for paths that may contain a model.
enum ModelPaths {
  /// Returns the paths of all files and folders in the typed folder, except hidden ones. Folders that aren't models end
  /// with a slash, because they may contain a model.
  static func candidates(after typed: String) -> [CompletionCandidate] {
    let folder = LocalPath(typed).folder
    let names: [LocalPath]
    do {
      names = try folder.names()
    } catch {
      return []
    }
    // The answer to a shell is text, so names that aren't UTF-8 are skipped.
    return names.filter { !$0.hasPrefix(".") && $0.text != nil }.map { name in
      let path: LocalPath = "\(folder)\(name)"
      let isBundle = [".xcdatamodeld", ".xcdatamodel", ".momd"].contains(where: name.hasSuffix)
      return CompletionCandidate("\(path)" + (path.kind == .folder && !isBundle ? "/" : ""))
    }
  }
}

/// The completion of the key path at the end of a predicate or an expression.
struct PredicateCompletion {
  /// The text before the key path.
  private let head: String
  /// The typed part of the key path.
  private let path: String

  /// Creates a completion; nil if the text ends inside a string, or with a number or a variable.
  init?(_ text: String) {
    path = PredicateWords.path(atEndOf: text)
    head = String(text.dropLast(path.count))
    var reader = PredicateReader(head)
    _ = reader.read()
    guard !reader.endsInText, head.last != "$", path.first?.isNumber != true else { return nil }
  }

  func candidates(
    from entity: EntityDescription, in model: DataModel, for purpose: KeyPathCompletion.Purpose
  ) -> [CompletionCandidate] {
    KeyPathCompletion(model: model, purpose: purpose).candidates(from: entity, after: path)
      .map { CompletionCandidate(head + $0.word, $0.note, mayGoOn: true) }
  }
}
