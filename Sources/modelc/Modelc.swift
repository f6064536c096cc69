import StoreCodegen
import StoreDiagnostics
import StoreModelReader

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The build-tool plugin's tool: `modelc MODEL OUTPUT [SETTINGS|- [MIGRATIONS]]`.
@main
struct Modelc {
  static func main() {
    let arguments = LocalPath.arguments
    guard (2...4).contains(arguments.count) else {
      let usage = "usage: modelc MODEL OUTPUT [SETTINGS|- [MIGRATIONS]]"
      say([DiagnosticMessage(.error, "usage", usage, cause: .usage)])
      exit(64)
    }
    do {
      try compile(
        arguments[0], to: arguments[1],
        Settings(at: arguments.count > 2 && arguments[2] != "-" ? arguments[2] : nil),
        migrations: arguments.count > 3 ? arguments[3] : nil)
    } catch {
      say([DiagnosticMessage](explaining: error))
      exit(1)
    }
  }

  private static func compile(
    _ model: LocalPath, to output: LocalPath, _ settings: Settings, migrations: LocalPath?
  ) throws {
    let compiled = try ModelCompiler(
      ModelBundle(at: model), includesAllVersions: settings.allVersions, migrations: migrations,
      access: settings.access, isCodable: settings.codable
    ).compile()
    say(compiled.diagnostics)
    _ = try GeneratedFile(path: output, text: compiled.text).write(overwritesAny: true)
  }

  /// Prints diagnostics to standard error in the format of compilers, so that editors can show their locations.
  private static func say(_ diagnostics: [DiagnosticMessage]) {
    let text = diagnostics.map(DiagnosticRenderer().render).joined()
    do throws(SystemError) {
      try OpenFile.standardError.write(Array(text.utf8))
    } catch {
      // The error can't be reported, because standard error is the only stream for messages.
    }
  }
}
