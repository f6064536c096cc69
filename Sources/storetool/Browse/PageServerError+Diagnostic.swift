import PageServer
import StoreDiagnostics

extension PageServerError: DiagnosableError {
  var diagnostics: [Diagnostic] {
    switch self {
    case .noAddress(let host):
      [
        Diagnostic(
          .error, "browse.no-address", "'\(host)' is not an address in digits", cause: .usage,
          help: ["leave out --host to listen on this computer alone, or name one: --host 192.0.2.7"]
        )
      ]
    case .notListening(let host, let port, let reason):
      [
        Diagnostic(
          .error, "browse.not-listening", "port \(port) of \(host) can't be listened on: \(reason)",
          cause: .inputOutput, help: ["leave out --port for a free one"])
      ]
    }
  }
}
