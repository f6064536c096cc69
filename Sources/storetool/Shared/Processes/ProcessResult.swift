import StoreDiagnostics

/// The result of a program that has run to its end.
struct ProcessResult {
  /// The exit status. After a signal, 128 plus its number.
  let status: Int32
  let output: [UInt8]
  let errors: String

  /// The output as text that preserves the bytes of paths (`ArgumentText`).
  var text: String { LocalPath(bytes: output).argument }

  /// Runs a program without input and waits for its end.
  ///
  /// - Parameter words: The program and its arguments.
  init(of words: [String]) throws(ChildProcessError) {
    let program = try ChildProcess(program: words)
    var (output, errors): ([UInt8], [UInt8]) = ([], [])
    while let event = program.next() {
      switch event {
      case .bytes(let bytes, .errors): errors += bytes
      case .bytes(let bytes, _): output += bytes
      case .silence: break
      }
    }
    status = program.wait().status
    self.output = output
    self.errors = String(decoding: errors, as: UTF8.self)
  }
}
