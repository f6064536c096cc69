import NIOCore

/// A numeric IP address, from the user or from a browser's request.
package struct ListeningAddress: Sendable {
  let socket: SocketAddress
  /// The address in the notation of the system.
  private let text: String

  /// - Parameter port: the port, or 0 for any available port.
  /// - Throws: `PageServerError.noAddress`
  package init(_ host: String, port: Int = 0) throws(PageServerError) {
    do {
      socket = try SocketAddress(ipAddress: host, port: port)
    } catch {
      throw .noAddress(host)
    }
    text = socket.ipAddress ?? host
  }

  /// Whether only this computer can connect to the address.
  package var isLoopback: Bool {
    text.hasPrefix("127.") || text == "::1" || text.hasPrefix("::ffff:127.")
  }

  /// Whether the address represents all addresses of this computer.
  package var isEvery: Bool { ["0.0.0.0", "::"].contains(text) }

  /// The host in the URL of the page. If the server listens on all addresses, this is the loopback address, which a
  /// browser on this computer can open.
  package var name: String {
    switch text {
    case "0.0.0.0": "127.0.0.1"
    case "::": "[::1]"
    default: text.contains(":") ? "[\(text)]" : text
    }
  }

  /// Returns whether the host of a request is a numeric address, such as `10.0.0.1` or `[fe80::1]`.
  static func isAddress(_ name: Substring) -> Bool {
    let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
    do {
      _ = try ListeningAddress(String(isBracketed ? name.dropFirst().dropLast() : name))
      return isBracketed == name.contains(":")
    } catch {
      return false
    }
  }
}
