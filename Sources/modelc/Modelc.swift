import ModelCompiler
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
    let arguments = CommandLine.arguments.dropFirst()
    guard (2...4).contains(arguments.count) else {
      let usage = "usage: modelc MODEL OUTPUT [SETTINGS|- [MIGRATIONS]]"
      say([Diagnostic(.error, "usage", usage, cause: .usage)])
      exit(64)
    }
    do {
      try compile(
        arguments[1], to: arguments[2],
        Settings(at: arguments.count > 2 && arguments[3] != "-" ? arguments[3] : nil),
        migrations: arguments.count > 3 ? arguments[4] : nil)
    } catch let known as any DiagnosableError {
      say(known.diagnostics)
      exit(1)
    } catch {
      say([Diagnostic(.error, "bug", "unexpected error: \(error)", cause: .bug)])
      exit(1)
    }
  }

  private static func compile(
    _ model: String, to output: String, _ settings: Settings, migrations: String?
  ) throws {
    let compiled = try ModelCompiler(
      ModelBundle(at: model), includesAllVersions: settings.allVersions, migrations: migrations,
      access: settings.access
    ).compile()
    say(compiled.diagnostics)
    _ = try GeneratedFile(path: output, text: compiled.text).write()
  }

  /// As compilers say it, so that an editor finds the place.
  private static func say(_ diagnostics: [Diagnostic]) {
    let text = diagnostics.map(DiagnosticRenderer().render).joined()
    _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
