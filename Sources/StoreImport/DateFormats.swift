import StoreLayout
package import StoreDiagnostics
import StoreModel
package import StorePredicate

/// How the input writes dates: as the model's userInfo says for an attribute, else as the caller
/// says for all, else as ISO 8601.
struct DateFormats {
  /// The model's own name for the form of an attribute's dates.
  private static let userInfoKey = "dateFormat"

  private let model: Model
  private let general: DatePattern?

  init(_ model: Model, general: DatePattern?) {
    self.model = model
    self.general = general
  }

  /// The forms of an entity's date attributes, by name; those without one are ISO 8601.
  ///
  /// - Throws: `DateFormatError` for a form in the model that can't be read.
  func formats(of entity: Entity) throws(DateFormatError) -> [String: DateForm] {
    var found: [String: DateForm] = [:]
    for attribute in model.storedAttributes(of: entity) where attribute.type == .date {
      guard let own = attribute.userInfo[Self.userInfoKey] else {
        found[attribute.name] = general.map { DateForm(pattern: $0) }
        continue
      }
      do throws(DatePatternError) {
        let pattern = try DatePattern(own)
        found[attribute.name] = DateForm(pattern: pattern, isOfEitherUnit: pattern.isUnixTime)
      } catch let error {
        throw DateFormatError(error, in: .attribute("\(entity.name).\(attribute.name)"))
      }
    }
    return found
  }
}

/// A date format that can't be read.
package struct DateFormatError: DiagnosableError, Hashable {
  private let error: DatePatternError
  private let origin: Origin

  /// Who has said it.
  package enum Origin: Hashable, Sendable {
    /// The userInfo of an attribute.
    case attribute(String)
    /// The caller, who calls it by a name.
    case argument(String)
  }

  package init(_ error: DatePatternError, in origin: Origin) {
    self.error = error
    self.origin = origin
  }

  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "import.date-format", message, cause: cause,
        excerpt: Diagnostic.Excerpt(text: error.text, range: error.range, note: note),
        help: [help])
    ]
  }

  private var cause: Diagnostic.Cause {
    switch origin {
    case .attribute: .invalid
    case .argument: .usage
    }
  }

  private var note: String {
    switch origin {
    case .attribute(let name): "in the dateFormat (userInfo) of '\(name)'"
    case .argument(let name): "in \(name)"
    }
  }

  private var message: String {
    switch error.problem {
    case .empty: "a date format names at least one part of a date"
    case .unknownLetter(let letter): "a date format can't have '\(letter)'"
    case .unclosedQuote: "a quote of the date format is not closed"
    case .repeated(let letters): "'\(letters)' gives a part of the date a second time"
    }
  }

  private var help: Remedy {
    switch error.problem {
    case .unknownLetter("Y"): "the year is 'y'; 'Y' is the year that a week belongs to"
    case .unknownLetter("D"): "the day of the month is 'd'; 'D' is that of the year"
    case .empty, .unknownLetter:
      "the letters are y M d E H h K k a m s S Z, as in yyyy-MM-dd'T'HH:mm:ssZ; text stands in 'quotes'"
    case .unclosedQuote: "a quote itself is written as ''"
    case .repeated: "text stands in 'quotes'"
    }
  }
}
