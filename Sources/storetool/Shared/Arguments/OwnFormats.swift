import ArgumentParser
import RecordFormats

/// The formats of a command that has some of its own beside those of facts.
protocol NamedFormat: ExpressibleByArgument, CaseIterable {
  var name: String { get }
}

extension NamedFormat {
  init?(argument: String) {
    guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  static var allValueStrings: [String] { allCases.map(\.name) }
  var defaultValueDescription: String { name }
}

/// How a comparison is written: for people, for a pull request, or as facts.
enum DiffFormat: NamedFormat {
  case text
  case markdown
  case facts(RowFormat)

  static let allCases =
    [text, markdown] + RowFormat.allCases.filter { $0 != .markdown }.map(facts)

  var name: String {
    switch self {
    case .text: "text"
    case .markdown: "markdown"
    case .facts(let format): format.rawValue
    }
  }
}

/// How a model is written: as lines for Git to compare, or as facts.
enum ShowFormat: NamedFormat {
  case outline
  case facts(RowFormat)

  static let allCases = [outline] + RowFormat.allCases.map(facts)

  var name: String {
    switch self {
    case .outline: "outline"
    case .facts(let format): format.rawValue
    }
  }
}

/// How a check's findings are written: for people, for the services that show them beside lines, or as facts.
enum FindingFormat: NamedFormat {
  case text
  case github
  case gitlab
  case sarif
  case facts(RowFormat)

  static let allCases = [text, github, gitlab, sarif] + RowFormat.allCases.map(facts)

  var name: String {
    switch self {
    case .text: "text"
    case .github: "github"
    case .gitlab: "gitlab"
    case .sarif: "sarif"
    case .facts(let format): format.rawValue
    }
  }
}
