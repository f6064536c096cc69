/// A side of a comparison, as a `#Predicate` writes it.
struct PredicateTerm {
  /// The parts between the question marks: `item.list`, `name`.
  var parts: [String]
  /// The Swift type without optionality: two sides have to be of one.
  var type: String
  var isOptional: Bool { parts.count > 1 || isLastOptional }
  /// So is its last part by itself.
  var isLastOptional = false
  /// A literal takes its type from the other side.
  var isLiteral = false
  var isNil = false
  /// Of a row: its optionality is what the model says, and no value is made optional for it.
  var isStored = false
  /// What is asked whether there is one: of an object's ID the object.
  var existence: String?

  var isThere: String { "\(existence ?? code) != nil" }

  var code: String { parts.joined(separator: "?.") }

  init(
    code: String, type: String, isLiteral: Bool = false, isNil: Bool = false
  ) {
    parts = [code]
    self.type = type
    self.isLiteral = isLiteral
    self.isNil = isNil
  }

  /// A value of a row, or of a given object.
  init(_ path: PredicatePath, type: String, existence: String? = nil) {
    parts = path.parts
    self.type = type
    isLastOptional = path.isLastOptional
    isStored = true
    self.existence = existence
  }

  /// Both can be compared.
  func fits(_ other: PredicateTerm) -> Bool {
    type == other.type || isLiteral || other.isLiteral || isNil || other.isNil
  }
}

/// What properties lead to on the way along a key path.
struct PredicatePath {
  var parts: [String]
  var isLastOptional = false

  init(_ code: String) { parts = [code] }

  var isOptional: Bool { parts.count > 1 || isLastOptional }
  var code: String { parts.joined(separator: "?.") }

  func appending(_ name: String, isOptional: Bool) -> PredicatePath {
    var path = self
    if isLastOptional {
      path.parts.append(name)
    } else {
      path.parts[path.parts.count - 1] += "." + name
    }
    path.isLastOptional = isOptional
    return path
  }
}
