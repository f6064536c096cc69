import RecordFormats
import ArgumentParser

/// The maximum length of a record, as in `500KB`, `64MB` or `20000`.
struct RecordSize: ExpressibleByArgument, Equatable {
  let bytes: Int

  static let standard = RecordSize(bytes: RecordLimit.standard)

  /// The numbers of bytes by unit. `B` is last, because all units end with it.
  private static let units = [("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("B", 1)]

  private init(bytes: Int) {
    self.bytes = bytes
  }

  init?(argument: String) {
    let text = argument.uppercased()
    let unit = Self.units.first { text.hasSuffix($0.0) } ?? ("", 1)
    guard let number = Int(text.dropLast(unit.0.count)), number > 0,
      number <= RecordLimit.greatest / unit.1
    else { return nil }
    bytes = number * unit.1
  }

  var defaultValueDescription: String { "\(bytes / 1_000_000)MB" }

  static let help = ArgumentHelp(
    "The maximum length of a record, up to 1GB. Reading it requires about four times as much memory.",
    valueName: "size")
}
