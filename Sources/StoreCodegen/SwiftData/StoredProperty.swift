import StoreModel

/// A property of a class or structure for SwiftData.
struct StoredProperty {
  /// The macro, such as `@Attribute(.unique)`, or nil.
  var macro: SwiftCode?
  var comment: String?
  var name: String
  var type: String
  /// The initial value in the declaration.
  var initial: SwiftCode?
  /// The default of the initializer's parameter, or nil if there is none.
  var assumed: SwiftCode?
  /// Whether the initializer has a parameter for the property.
  var isGiven = true

  var written: String { SwiftName.escaped(name) }
}

extension PersistentModelEmitter {
  func write(_ property: StoredProperty, into out: inout SwiftWriter) {
    if let comment = property.comment { out.comment(comment) }
    var declaration: [SwiftCode] = [.text("\(open)var \(property.written): \(property.type)")]
    if let initial = property.initial { declaration += [" = ", initial] }
    guard let macro = property.macro else { return out.line(.row(declaration)) }
    let line = SwiftCode.row([macro, " "] + declaration)
    if out.fits(line) {
      out.line(line)
    } else {
      out.line(macro)
      out.line(.row(declaration))
    }
  }

  /// Writes an initializer for all properties, including inherited ones.
  func writeInitializer(
    _ own: [StoredProperty], inherited: [StoredProperty], hasParent: Bool,
    into out: inout SwiftWriter
  ) {
    let (own, inherited) = (own.filter(\.isGiven), inherited.filter(\.isGiven))
    let parameters = (inherited + own).map { property -> SwiftCode in
      let head = SwiftCode.text("\(property.written): \(property.type)")
      return property.assumed.map { .row([head, " = ", $0]) } ?? head
    }
    // An initializer with the same parameters as the superclass's initializer overrides it.
    let overrides = hasParent && own.isEmpty ? "override " : ""
    out.block(.list(open: "\(open)\(overrides)init(", items: parameters, close: ")")) { out in
      for property in own { out.line("self.\(property.written) = \(property.written)") }
      guard hasParent else { return }
      out.line(.call("super.init", inherited.map { "\($0.written): \($0.written)" }))
    }
  }
}
