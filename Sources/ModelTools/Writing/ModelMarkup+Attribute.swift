import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ModelMarkup {
  func element(of attribute: AttributeDescription, in entity: EntityDescription) -> Markup {
    var element = element(of: attribute)
    element.comment = comments[.property(attribute.name, of: entity.name)]
    return element
  }

  /// Returns the element of an attribute in an entity or a composite.
  func element(of attribute: AttributeDescription) -> Markup {
    var element = Markup("attribute")
    element.add("name", attribute.name)
    element.add("optional", ifSo: attribute.isOptional)
    element.add("transient", ifSo: attribute.isTransient)
    // Xcode doesn't write the undefined type.
    element.add("attributeType", attribute.type == .undefined ? nil : attribute.type.name)
    add(attribute.validation, to: &element)
    addDefault(of: attribute, to: &element)
    element.add("regularExpressionString", attribute.validation.pattern)
    element.add("valueTransformerName", attribute.valueTransformer)
    element.add("customClassName", attribute.customClassName)
    if case .composite(let name) = attribute.type { element.add("composite", name) }
    element.add("allowsCloudEncryption", ifSo: attribute.allowsCloudEncryption)
    element.add("allowsExternalBinaryDataStorage", ifSo: attribute.allowsExternalStorage)
    element.add("derived", ifSo: attribute.derivation != nil)
    element.add("derivationExpression", attribute.derivation?.format)
    addScalarValueType(of: attribute, to: &element)
    element.add("preserveAfterDeletion", ifSo: attribute.isPreservedAfterDeletion)
    element.add("indexed", ifSo: attribute.isIndexed)
    element.add("spotlightIndexingEnabled", ifSo: attribute.isIndexedBySpotlight)
    element.add("elementID", attribute.renamingIdentifier)
    element.add("versionHashModifier", attribute.versionHashModifier)
    element.children = userInfoElements(of: attribute.userInfo)
    return element
  }

  private func add(_ validation: AttributeDescription.Validation, to element: inout Markup) {
    for (side, bound) in [("min", validation.minimum), ("max", validation.maximum)] {
      guard let bound else { continue }
      if case .date = bound {
        element.add("\(side)DateTimeInterval", ValueMarkup.text(of: bound, as: .date))
      } else {
        // The bound of a string is a length. The bound of a Float is written like the bound of a Double.
        element.add("\(side)ValueString", ValueMarkup.text(of: bound, as: .double))
      }
    }
  }

  private func addDefault(of attribute: AttributeDescription, to element: inout Markup) {
    guard let value = attribute.defaultValue else { return }
    var name = "defaultValueString"
    if case .date = value { name = "defaultDateTimeInterval" }
    element.add(name, ValueMarkup.text(ofDefault: value, as: attribute.type))
  }

  /// Adds `usesScalarValueType`. For types that a scalar can represent, Xcode also writes it if it is NO.
  private func addScalarValueType(of attribute: AttributeDescription, to element: inout Markup) {
    switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .uuid:
      element.add("usesScalarValueType", attribute.usesScalarValueType ? "YES" : "NO")
    case .decimal, .string, .binary, .uri, .transformable, .undefined, .objectID, .composite:
      element.add("usesScalarValueType", ifSo: attribute.usesScalarValueType)
    }
  }
}

/// Functions that convert a value to the text of an XML attribute.
enum ValueMarkup {
  /// Returns the text, or nil if model XML can't represent the value.
  static func text(of value: DataValue, as type: AttributeType) -> String? {
    switch value {
    case .null, .binary: nil
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): number.description
    case .double(let number): text(of: number, as: type)
    case .string(let text): text
    case .date(let seconds): text(ofSeconds: seconds)
    case .uuid(let uuid): uuid.uuidString
    case .objectID(let id): id.uri
    }
  }

  /// Returns the text of a number. A Float has its shortest text: `0.1`, not `0.10000000149011612`.
  private static func text(of number: Double, as type: AttributeType) -> String {
    let single = Float(number)
    return type == .float && Double(single) == number ? single.description : number.description
  }

  /// Returns the text of a default. For a Double or Float, a whole number other than `0.0` has no fraction, because
  /// Xcode proposes `0.0`, but people enter `100`.
  static func text(ofDefault value: DataValue, as type: AttributeType) -> String? {
    guard case .double(let number) = value, number != 0, type == .double || type == .float,
      let whole = Int64(exactly: number)
    else { return text(of: value, as: type) }
    return whole.description
  }

  /// Returns the text of seconds. Whole seconds have no fraction.
  private static func text(ofSeconds seconds: Double) -> String {
    Int64(exactly: seconds).map(\.description) ?? seconds.description
  }
}
