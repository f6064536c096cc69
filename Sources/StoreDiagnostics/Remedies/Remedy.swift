/// What to do about a diagnostic.
///
/// A library knows what helps, not what the user's interface calls it: an option, a parameter, a button.
/// So it says it as data, and a `DiagnosticWording` has the words.
public enum Remedy: Hashable, Sendable {
  /// A sentence that names nothing of an interface.
  case text(String)
  case model(ModelRemedy)
  case store(StoreRemedy)
  case request(RequestRemedy)
  case importing(ImportRemedy)
  case migration(MigrationRemedy)
}

extension Remedy: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self = .text(text) }
}

extension Remedy: CustomStringConvertible {
  /// In words that fit every interface.
  public var description: String {
    switch self {
    case .text(let text): text
    case .model(let remedy): remedy.sentence
    case .store(let remedy): remedy.sentence
    case .request(let remedy): remedy.sentence
    case .importing(let remedy): remedy.sentence
    case .migration(let remedy): remedy.sentence
    }
  }
}
