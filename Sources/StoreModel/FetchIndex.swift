/// An index that the model asks for.
public struct FetchIndex: Hashable, Sendable {
  public struct Element: Hashable, Sendable {
    public enum Target: Hashable, Sendable {
      /// An attribute or a to-one relationship.
      case property(String)
      /// Predicate-language text.
      case expression(String, type: AttributeType)
    }

    public enum Kind: String, Hashable, Sendable {
      case binary = "Binary"
      case rTree = "RTree"
    }

    public var target: Target
    public var kind: Kind
    public var isAscending: Bool

    public init(_ target: Target, kind: Kind = .binary, isAscending: Bool = true) {
      self.target = target
      self.kind = kind
      self.isAscending = isAscending
    }
  }

  public enum Origin: Hashable, Sendable {
    /// `<fetchIndex>`, Xcode 9 and later.
    case fetchIndex
    /// `<compoundIndex>`: it has no name of its own.
    case compoundIndex
  }

  /// Empty for a compound index.
  public var name: String
  public var elements: [Element]
  /// Limits the index to some rows; predicate text.
  public var partialPredicate: String?
  public var origin: Origin

  public init(
    name: String, elements: [Element], partialPredicate: String? = nil,
    origin: Origin = .fetchIndex
  ) {
    self.name = name
    self.elements = elements
    self.partialPredicate = partialPredicate
    self.origin = origin
  }
}
