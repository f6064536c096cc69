import ArgumentParser
import StoreDiagnostics
import StoreModel
import StoreModelReader

/// An unfinished command line: the word at the cursor, and the meaning of the other words.
struct CompletionLine {
  /// The word at the cursor.
  let current: ShellWord
  private let command: CommandOptions
  private let given: [CommandOptions.Given]

  /// - Parameters:
  ///   - words: All words as they are typed, beginning with the name of the program.
  ///   - index: The index of the word at the cursor.
  ///   - isRaw: Whether the words contain the quotation marks and backslashes that the user has typed.
  /// - Throws: A `DecodingError` if the parser's description of the command can't be read.
  init(_ words: [String], at index: Int, isRaw: Bool) throws {
    let typed = words.map { ShellWord($0, isRaw: isRaw) }
    let raw = isRaw ? nil : Workspace.environment(ShellWord.variable).map { ShellWord($0) }
    let word = raw ?? (typed.indices.contains(index) ? typed[index] : ShellWord(""))
    let (type, rest) = CommandRow.named(by: typed.map(\.text).dropFirst())
    command = try CommandOptions(of: type)
    given = command.given(in: rest).filter { $0.word != index }
    // zsh and fish pass `--option=value` as one word, and bash passes it as two.
    let isBoth = word.text.contains("=") && command.takes(String(word.text.prefix { $0 != "=" }))
    current = isBoth ? word.value : word
  }

  /// Returns the first value of an option or an argument, except at the cursor; nil if there is none.
  func value(of name: String) -> String? { given.first { $0.name == name }?.value }

  /// Returns all values of an option or an argument, except at the cursor.
  func values(of name: String) -> [String] { given.filter { $0.name == name }.map(\.value) }

  private var workspace: Workspace {
    let isOfStore = command.takes("--store")
    return Workspace(
      store: (value(of: "--store") ?? (isOfStore ? value(of: "store") : nil))
        .map(ArgumentText.path),
      simulator: value(of: "--simulator"),
      model: (value(of: "--app") ?? value(of: "--model") ?? (isOfStore ? nil : value(of: "path")))
        .map(ArgumentText.path),
      modelVersion: value(of: "--model-version"))
  }

  /// The possible models of the command. For a command with `--store`, these are the versions that wrote the available
  /// stores. Otherwise, or if none is found, they are the specified or current versions of the available models.
  var models: [DataModel] { workspace.modelsInReach(isOfStore: command.takes("--store")) }

  /// The name of each version of the available models, and whether it is the current version of its model.
  var versions: [(name: String, isCurrent: Bool)] {
    do {
      return try workspace.bundles().flatMap { bundle in
        bundle.versions.map { ($0.name, $0.name == bundle.currentVersion?.name) }
      }
    } catch {
      return []
    }
  }

  /// The entity that the command line specifies by name or by a template, in each possible model that contains it.
  var entities: [(DataModel, EntityDescription)] {
    let name =
      value(of: "entity") ?? value(of: "--entity") ?? value(of: "entities")
      ?? value(of: "Entity.relationship").map { String($0.prefix { $0 != "." }) }
    let template = value(of: "template")
    return models.compactMap { model in
      let name = name ?? template.flatMap { model.template(named: $0)?.entity }
      return name.flatMap { model.entity(named: $0) }.map { (model, $0) }
    }
  }
}

extension Workspace {
  /// Returns the possible models of an unfinished command. Unreadable models are skipped.
  ///
  /// - Parameter isOfStore: Whether the command accepts `--store`. The models are then the versions that wrote the
  ///   available stores, unless none is found.
  func modelsInReach(isOfStore: Bool) -> [DataModel] {
    let written = isOfStore ? modelsOfStores() : []
    guard written.isEmpty else { return written }
    do {
      return try bundles().compactMap { readableModel(of: $0) }
    } catch {
      return []
    }
  }

  private func modelsOfStores() -> [DataModel] {
    do {
      let stores = try usableStores().map { try $0.opened.get() }
      guard let only = stores.first, stores.count == 1 else {
        return try candidates(of: stores).map(\.model.model)
      }
      return [try model(of: only).model]
    } catch {
      return []
    }
  }

  private func readableModel(of bundle: ModelBundle) -> DataModel? {
    do {
      return try FoundModel(version(of: bundle), of: VersionsAtHand(of: bundle)).model
    } catch {
      return nil
    }
  }
}
