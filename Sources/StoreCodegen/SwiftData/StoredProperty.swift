import StoreModel

/// A property of a class for SwiftData, or of a structure in one.
struct StoredProperty {
  /// `@Attribute(.unique)`; nil where there is nothing to say.
  var macro: SwiftCode?
  var comment: String?
  var name: String
  var type: String
  /// The value of the declaration.
  var initial: SwiftCode?
  /// What the initializer takes where nothing is said; nil where something must be.
  var assumed: SwiftCode?
  /// The initializer has a parameter for it.
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

  /// One that takes all, those of the class that it inherits from included.
  func writeInitializer(
    _ own: [StoredProperty], inherited: [StoredProperty], hasParent: Bool,
    into out: inout SwiftWriter
  ) {
    let (own, inherited) = (own.filter(\.isGiven), inherited.filter(\.isGiven))
    let parameters = (inherited + own).map { property -> SwiftCode in
      let head = SwiftCode.text("\(property.written): \(property.type)")
      return property.assumed.map { .row([head, " = ", $0]) } ?? head
    }
    // The same parameters: the initializer takes the place of the parent's.
    let overrides = hasParent && own.isEmpty ? "override " : ""
    out.block(.list(open: "\(open)\(overrides)init(", items: parameters, close: ")")) { out in
      for property in own { out.line("self.\(property.written) = \(property.written)") }
      guard hasParent else { return }
      out.line(.call("super.init", inherited.map { "\($0.written): \($0.written)" }))
    }
  }
}
