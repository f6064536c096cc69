import ArgumentParser
import StoreCodegen

/// `--force`, of commands that write generated files.
struct OverwritingOption: ParsableArguments {
  @Flag(help: "Overwrite a file that storetool didn't generate.")
  var force = false

  /// - Returns: false where the file was up to date.
  /// - Throws: `GeneratedFileError`
  func write(_ file: GeneratedFile) throws(GeneratedFileError) -> Bool {
    try file.write(overwritesAny: force)
  }
}
