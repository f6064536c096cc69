import Foundation
import Testing

extension SampleFolder {
  /// The subcommands of a command, as its help lists them.
  private func subcommands(of command: String) throws -> [String] {
    let help = try expect("storetool \(command) --help")
    guard let list = help.range(of: "SUBCOMMANDS:") else { return [] }
    return help[list.upperBound...].split(separator: "\n").compactMap { line in
      guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.hasPrefix("  See") else {
        return nil
      }
      return line.split(separator: " ").first.map { "\(command) \($0)" }
    }
  }

  /// The names of all commands, as the help lists them.
  func allCommands() throws -> [String] {
    let top = try expect("storetool --help").split(separator: "\n")
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  -") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { !["storetool", "See", "help"].contains($0) }
    return try top + top.flatMap(subcommands)
  }
}
