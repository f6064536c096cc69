import StoreLayout
import StoreModel

/// Finds the rule of each attribute, and collects errors.
struct RuleResolver {
  private let model: DataModel
  private let lines: [String: RuleLine]
  private(set) var issues: [RuleIssue]
  /// Rule lines for attributes that only other versions of the model have.
  private(set) var notes: [RuleIssue] = []
  /// Attributes that require a rule but don't have one, such as `Person.name`.
  private(set) var missing: [String] = []

  init(_ model: DataModel, _ lines: [RuleLine], _ issues: [RuleIssue]) {
    self.model = model
    var byPath: [String: RuleLine] = [:]
    var issues = issues
    for line in lines {
      if byPath[line.path] == nil {
        byPath[line.path] = line
      } else {
        issues.append(RuleIssue(.repeated(line.path), line.origin))
      }
    }
    self.lines = byPath
    self.issues = issues
  }

  // MARK: Attributes

  mutating func entries(of entity: EntityDescription) -> [RuleBook.Entry] {
    let unique = uniqueProperties(of: entity)
    var entries: [RuleBook.Entry] = []
    for owner in [entity] + model.ancestors(of: entity) {
      for attribute in model.storedAttributes(declaredBy: owner) where attribute.derivation == nil {
        let path = "\(owner.name).\(attribute.name)"
        let line = line(for: attribute, of: entity, declaredBy: owner)
        if line == nil, !attribute.type.isKeptByDefault, !missing.contains(path) {
          missing.append(path)
        }
        if let line {
          check(line, path, attribute, isAloneUnique: unique.alone.contains(attribute.name))
        }
        entries.append(
          RuleBook.Entry(
            entity: entity.name, owner: owner.name, attribute: attribute, rule: line?.rule ?? .keep,
            isDefault: line == nil, isUnique: unique.all.contains(attribute.name)))
      }
    }
    return entries.sorted { $0.attribute.name < $1.attribute.name }
  }

  private mutating func line(
    for attribute: AttributeDescription, of entity: EntityDescription,
    declaredBy owner: EntityDescription
  ) -> RuleLine? {
    let entities = [entity] + model.ancestors(of: entity)
    for path in attribute.name.pathsAbove {
      for holder in entities {
        if let line = lines["\(holder.name).\(path)"] { return line }
      }
      if let line = lines[path] { return line }
    }
    return userInfoLine(of: attribute, declaredBy: owner)
  }

  /// Returns the rule in the user info of the attribute or, for an element of a composite, of the composite attribute.
  /// Adds an issue if the text isn't a rule.
  private mutating func userInfoLine(
    of attribute: AttributeDescription, declaredBy owner: EntityDescription
  ) -> RuleLine? {
    let first = attribute.name.pathsAbove.last
    let holders = [attribute] + owner.attributes.filter { $0.name == first }
    for holder in holders {
      guard let text = holder.userInfo[RuleBook.userInfoKey] else { continue }
      var line = RuleLine(
        path: "\(owner.name).\(attribute.name)", rule: .keep,
        origin: .userInfo("\(owner.name).\(holder.name)"))
      do throws(RuleTextError) {
        line.rule = try AnonymizationRule(text: text)
      } catch {
        add(RuleIssue(.text(error), line.origin))
      }
      return line
    }
    return nil
  }

  private mutating func check(
    _ line: RuleLine, _ path: String, _ attribute: AttributeDescription, isAloneUnique: Bool
  ) {
    let problem: RuleFitError? =
      if !line.rule.suits(attribute.type) {
        .type(line.rule, attribute.type, isRequired: !attribute.isOptional)
      } else if line.rule == .null, !attribute.isOptional {
        .required(attribute.type)
      } else if isAloneUnique, line.rule.mergesValues {
        .unique(line.rule)
      } else {
        constantProblem(line.rule, attribute)
      }
    if let problem { add(RuleIssue(.fit(problem, attribute: path), line.origin)) }
  }

  private func constantProblem(_ rule: AnonymizationRule, _ attribute: AttributeDescription)
    -> RuleFitError?
  {
    do throws(RuleFitError) {
      _ = try ValueReplacement(rule, of: attribute, from: ValueSource(key: []))
      return nil
    } catch {
      return error
    }
  }

  /// Adds an issue once, even if several entities inherit the attribute.
  private mutating func add(_ issue: RuleIssue) {
    if !issues.contains(issue) { issues.append(issue) }
  }

  private func uniqueProperties(of entity: EntityDescription) -> (
    all: Set<String>, alone: Set<String>
  ) {
    let constraints = ([entity] + model.ancestors(of: entity)).flatMap(\.uniquenessConstraints)
    return (
      Set(constraints.flatMap(\.self)), Set(constraints.filter { $0.count == 1 }.flatMap(\.self))
    )
  }

  // MARK: Lines

  /// Checks that each line is about an attribute of this version or of another one.
  ///
  /// - Throws: an error of `others`.
  mutating func checkLines(_ others: () throws -> [DataModel]) throws {
    let known = Self.knownPaths(of: model)
    let unknown = lines.values.filter { !known.contains($0.path) }
    let elsewhere =
      unknown.isEmpty
      ? [] : try others().reduce(into: Set()) { $0.formUnion(Self.knownPaths(of: $1)) }
    for line in unknown {
      if elsewhere.contains(line.path) {
        notes.append(RuleIssue(.otherVersion(line.path), line.origin))
      } else {
        issues.append(RuleIssue(kind(ofUnknown: line.path, known), line.origin))
      }
    }
    issues.sort { $0.position < $1.position }
    notes.sort { $0.position < $1.position }
  }

  private static func knownPaths(of model: DataModel) -> Set<String> {
    var paths: Set<String> = []
    for entity in model.entities {
      let attributes = model.storedAttributes(of: entity).filter { $0.derivation == nil }
      for path in attributes.flatMap(\.name.pathsAbove) {
        paths.formUnion([path, "\(entity.name).\(path)"])
      }
    }
    return paths
  }

  private func kind(ofUnknown path: String, _ known: Set<String>) -> RuleIssue.Kind {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    let named = parts.count == 2 ? model.entity(named: parts[0]) : nil
    let entities = named.map { [$0] } ?? model.entities
    let name = named == nil ? path : parts[1]
    for entity in entities {
      switch model.property(named: name, of: entity)?.0 {
      case .relationship?: return .relationship(path)
      case .attribute(let attribute)? where attribute.derivation != nil: return .derived(path)
      case .attribute(let attribute)? where attribute.isTransient: return .transient(path)
      case .attribute, .fetched, nil: continue
      }
    }
    return .unknownAttribute(path, known: known.sorted())
  }
}

extension String {
  /// The path and its parents, such as `home.street` and `home`.
  fileprivate var pathsAbove: [String] {
    var paths = [self]
    while let dot = paths[paths.count - 1].lastIndex(of: ".") {
      paths.append(String(paths[paths.count - 1][..<dot]))
    }
    return paths
  }
}

extension RuleIssue {
  /// The position in the file. Rules in the user info are last.
  fileprivate var position: Int {
    if case .file(_, let attribute, _) = origin { attribute.lowerBound } else { .max }
  }
}
