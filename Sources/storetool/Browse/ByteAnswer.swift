import PageServer

/// The answer to a request as the bytes that the command writes; what went wrong, where it has written none.
struct ByteAnswer {
  private let client: any PageClient

  init(to client: any PageClient) {
    self.client = client
  }

  func run(_ request: CommandService.Request) throws(ClientGone) {
    let command: RunningCommand
    do throws(SubprocessError) {
      command = try RunningCommand(request.line)
    } catch {
      return try fail(Array("the command can't be started".utf8))
    }
    do throws(ClientGone) {
      let (hasBegun, errors) = try follow(command)
      if command.wait().status == 0 {
        if !hasBegun { try begin() }
        try client.end()
      } else if hasBegun {
        client.breakOff()
      } else {
        try fail(errors.isEmpty ? Array("the command was ended".utf8) : errors)
      }
    } catch {
      command.kill()
      command.wait()
      throw error
    }
  }

  private func follow(
    _ command: RunningCommand
  ) throws(ClientGone) -> (hasBegun: Bool, errors: [UInt8]) {
    var errors: [UInt8] = []
    var hasBegun = false
    while let event = command.next() {
      switch event {
      case .output(let bytes):
        if !hasBegun { try begin() }
        hasBegun = true
        try client.write(bytes)
      case .errors(let bytes): errors += bytes.prefix(max(0, 1 << 16 - errors.count))
      case .silence: if client.isGone { throw ClientGone() }
      }
    }
    return (hasBegun, errors)
  }

  /// Never as what it may be: an SVG or a page out of a store would be run.
  private func begin() throws(ClientGone) {
    try client.begin(status: 200, contentType: "application/octet-stream")
  }

  private func fail(_ errors: [UInt8]) throws(ClientGone) {
    try client.begin(status: 422, contentType: "application/x-ndjson")
    try client.write(errors)
    try client.end()
  }
}
