import ArgumentParser
import RecordFormats

/// `storetool page-value`, for the page of `browse`: the bytes of one value.
struct PageValueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-value", _superCommandName: Storetool.name,
    abstract: "Writes one value for the page of 'browse'.", shouldDisplay: false)

  @Argument var object: String
  @Argument var attribute: String
  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func run() throws {
    guard let value = StoredBytes(of: object, attribute) else {
      throw ValidationError("'\(object)' is no object ID")
    }
    try value.read(options, closest: closest) { try OutputFile.standard.write($0) }
  }
}

/// `storetool page-plain`, for the page of `browse`: what data holds, as JSON, where it is plain; else nothing.
struct PagePlainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-plain", _superCommandName: Storetool.name,
    abstract: "Writes what data holds for the page of 'browse'.", shouldDisplay: false)

  @Argument var object: String
  @Argument var attribute: String
  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func run() throws {
    guard let value = StoredBytes(of: object, attribute) else {
      throw ValidationError("'\(object)' is no object ID")
    }
    try value.read(options, closest: closest) { bytes in
      guard let plain = PlainValue.json(of: Array(bytes)) else { return }
      var out = ByteBuffer()
      out.append(line: plain)
      try OutputFile.standard.write(out.bytes)
    }
  }
}
