import StoreModel
import StorePredicate

extension PredicateWriter {
  /// One value.
  mutating func term(_ expression: TypedExpression) throws -> PredicateTerm {
    switch expression.kind {
    case .constant(let value): try constant(value, as: expression.type)
    case .selfObject: identity(of: PredicatePath(row))
    case .variable(let name): try variable(name)
    case .keyPath(let base, _, let path): try term(path, from: base)
    case .arithmetic(let symbol, let left, let right): try arithmetic(symbol, left, right)
    default: throw Unsayable("a #Predicate has no \(expression.word)")
    }
  }

  /// The constant, or the parameter, that holds several values of the type of `term`.
  mutating func list(_ expression: TypedExpression, of term: PredicateTerm) throws -> String {
    switch expression.kind {
    case .variable(let name):
      guard let parameter = parameters[name], case .collection(let member) = parameter.variable.type
      else { throw Unsayable("it looks for members of one value") }
      guard case .object = member else {
        guard member != .any else { throw Unsayable("'$\(name)' has no type") }
        return parameter.written
      }
      return hoisted(parameter.name + "IDs", "\(parameter.written).map(\\.persistentModelID)")
    case .list(let members):
      let codes = try members.map { member -> SwiftCode in
        let value = try self.term(member)
        guard !value.isNil, !value.isOptional, value.type == term.type || value.isLiteral else {
          throw Unsayable("its list has members of several types")
        }
        return .text(value.code)
      }
      let name = pool.takeNumbered("values")
      constants.append((name + ": [\(term.type)]", .array(codes)))
      return name
    default: throw Unsayable("it looks for members of what is stored")
    }
  }

  // MARK: Constants and variables

  private mutating func constant(_ value: Value, as type: ValueType) throws -> PredicateTerm {
    if case .null = value { return PredicateTerm(code: "nil", type: "", isNil: true) }
    guard case .attribute(let type) = type else {
      throw Unsayable("it compares with a value whose type nothing tells")
    }
    let swift = SwiftType(type)
    guard let code = emitter.types.literal(value, as: swift), type != .uri else {
      throw Unsayable("it compares with a value that Swift has no literal for")
    }
    let name = emitter.types(swift)
    switch value {
    case .boolean, .string: return PredicateTerm(code: code.flat, type: name, isLiteral: true)
    case .integer(let number) where number >= 0 && !swift.isFoundation:
      return PredicateTerm(code: code.flat, type: name, isLiteral: true)
    case .double(let number) where number >= 0 && number.isFinite && !swift.isFoundation:
      return PredicateTerm(code: code.flat, type: name, isLiteral: true)
    default:
      // A macro takes no calls; a sign would be one.
      let constant = pool.takeNumbered("value")
      constants.append(("\(constant): \(name)", code))
      return PredicateTerm(code: constant, type: name)
    }
  }

  private mutating func variable(_ name: String) throws -> PredicateTerm {
    if let member = members[name] { return identity(of: PredicatePath(member)) }
    guard let parameter = parameters[name] else { throw Unsayable("'$\(name)' has no value") }
    switch parameter.variable.type {
    case .attribute(let type):
      return PredicateTerm(code: parameter.written, type: emitter.types(SwiftType(type)))
    case .object:
      let id = hoisted(parameter.name + "ID", "\(parameter.written).persistentModelID")
      return PredicateTerm(code: id, type: Self.identifier)
    case .any: throw Unsayable("nothing tells the type of '$\(name)'")
    case .entity: throw Unsayable("a #Predicate does not ask for the entity")
    case .collection: throw Unsayable("it compares with a list")
    }
  }

  /// A number that is given, as the type of a count.
  mutating func converted(_ given: PredicateTerm, for other: PredicateTerm) -> PredicateTerm {
    let integers = [AttributeType.integer16, .integer32, .integer64]
    guard other.type == Self.count, !given.isOptional, !given.isLiteral,
      parameters.values.contains(where: { $0.written == given.code }),
      integers.contains(where: { emitter.types(SwiftType($0)) == given.type })
    else { return given }
    let int = emitter.types.swift("Int")
    let code = hoisted(given.code.filter { $0 != "`" } + "Count", "\(int)(\(given.code))")
    return PredicateTerm(code: code, type: Self.count)
  }

  static let count = "Int"

  private static let identifier = "PersistentIdentifier"

  private func identity(of object: PredicatePath) -> PredicateTerm {
    PredicateTerm(
      object.appending("persistentModelID", isOptional: false), type: Self.identifier,
      existence: object.code)
  }

  /// A constant before the predicate, once for each value.
  private mutating func hoisted(_ name: String, _ value: String) -> String {
    if let known = constants.first(where: { $0.value.flat == value }) { return known.name }
    let free = pool.takeNumbered(name)
    constants.append((free, .text(value)))
    return free
  }

  // MARK: Key paths

  private mutating func term(
    _ path: ResolvedKeyPath, from base: TypedExpression
  ) throws -> PredicateTerm {
    if case .subquery = base.kind { return try count(of: base, path) }
    guard path.owner == nil else {
      throw Unsayable("it asks for a property that only a sub-entity has")
    }
    if case .variable(let name) = base.kind, members[name] == nil {
      return try hoisted(path, from: name)
    }
    let start = try start(of: base)
    if case .aggregate(.count, nil) = path.ending { return try count(of: path, from: start) }
    let walk = try walk(along: path.steps, from: start)
    return try ending(of: path, behind: walk)
  }

  func start(of base: TypedExpression) throws -> PredicatePath {
    switch base.kind {
    case .selfObject: return PredicatePath(row)
    case .variable(let name):
      guard let member = members[name] else { throw Unsayable("'$\(name)' has no value") }
      return PredicatePath(member)
    default: throw Unsayable("a #Predicate has no key path behind \(base.word)")
    }
  }

  /// `source.city`: of an object that is given, not of a row.
  private mutating func hoisted(
    _ path: ResolvedKeyPath, from variable: String
  ) throws -> PredicateTerm {
    guard let parameter = parameters[variable] else {
      throw Unsayable("'$\(variable)' has no value")
    }
    let walk = try walk(along: path.steps, from: PredicatePath(parameter.written))
    let found = try ending(of: path, behind: walk)
    let last = found.code.split { $0 == "." || $0 == "?" }.dropFirst()
      .map { SwiftName.capitalized(String($0)) }
    let name = parameter.name + last.joined().replacing("PersistentModelID", with: "ID")
    var given = PredicateTerm(code: hoisted(name, found.code), type: found.type)
    given.isLastOptional = found.isOptional
    return given
  }

  func walk(along steps: some Sequence<ResolvedKeyPath.Step>, from start: PredicatePath) throws
    -> PredicatePath
  {
    var walk = start
    for step in steps {
      guard !step.isToMany else { throw Unsayable("it follows a to-many relationship") }
      let (name, isOptional) = try member(step)
      walk = walk.appending(name, isOptional: isOptional)
    }
    return walk
  }

  /// The variable of a relationship.
  func member(_ step: ResolvedKeyPath.Step) throws -> (name: String, isOptional: Bool) {
    guard let entity = emitter.model.entity(named: step.entity),
      case (.relationship(let relationship), let owner)? = emitter.model.property(
        named: step.relationship, of: entity), !relationship.isTransient
    else { throw Unsayable("'\(step.relationship)' is not in its class") }
    let name = emitter.names.member(step.relationship, of: step.entity)
    return (name, emitter.isOptional(relationship, of: owner))
  }

  func ending(of path: ResolvedKeyPath, behind walk: PredicatePath) throws -> PredicateTerm {
    switch path.ending {
    case .object: return identity(of: walk)
    case .attribute(let attribute, let name):
      guard attribute.type != .transformable, emitter.isStored(attribute), !attribute.isTransient,
        !name.contains(".")
      else { throw Unsayable("a #Predicate does not look into '\(name)'") }
      if case .composite = attribute.type {
        throw Unsayable("a #Predicate does not look into '\(name)'")
      }
      let member = emitter.names.member(name, of: path.destination)
      return PredicateTerm(
        walk.appending(member, isOptional: attribute.isOptional),
        type: emitter.types(SwiftType(attribute.type)))
    case .entity: throw Unsayable("a #Predicate does not ask for the entity")
    case .aggregate(let function, _): throw Unsayable("a #Predicate has no \(function.rawValue)")
    }
  }

  private mutating func arithmetic(
    _ symbol: ArithmeticOperator, _ left: TypedExpression, _ right: TypedExpression
  ) throws -> PredicateTerm {
    let (one, other) = (try term(left), try term(right))
    guard ["+", "-", "*"].contains(symbol.rawValue), !one.isOptional, !other.isOptional,
      !one.isNil, !other.isNil, one.type == other.type || one.isLiteral || other.isLiteral
    else { throw Unsayable("a #Predicate has no '\(symbol.rawValue)' of such values") }
    return PredicateTerm(
      code: "(\(one.code) \(symbol.rawValue) \(other.code))",
      type: one.isLiteral ? other.type : one.type, isLiteral: one.isLiteral && other.isLiteral)
  }
}

extension TypedExpression {
  /// What it is called in a sentence.
  fileprivate var word: String {
    switch kind {
    case .function(let function, _): function.rawValue
    case .method(let method, _, _): method.rawValue
    case .cast: "CAST"
    case .ternary: "TERNARY"
    case .subquery: "SUBQUERY without @count"
    case .set: "UNION, INTERSECT or MINUS"
    case .element: "member of a list"
    case .negated: "sign"
    default: "such expression"
    }
  }
}
