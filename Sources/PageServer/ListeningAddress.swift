import NIOCore

/// An address in digits, as a user names it or a browser asks for it.
package struct ListeningAddress: Sendable {
  let socket: SocketAddress
  /// As the system writes it.
  private let text: String

  /// - Parameter port: 0 for a free one.
  /// - Throws: `PageServerError.noAddress`
  package init(_ host: String, port: Int = 0) throws(PageServerError) {
    do {
      socket = try SocketAddress(ipAddress: host, port: port)
    } catch {
      throw .noAddress(host)
    }
    text = socket.ipAddress ?? host
  }

  /// Whether no other computer can reach it.
  package var isLoopback: Bool {
    text.hasPrefix("127.") || text == "::1" || text.hasPrefix("::ffff:127.")
  }

  /// Whether it stands for all addresses of this computer.
  package var isEvery: Bool { ["0.0.0.0", "::"].contains(text) }

  /// As it stands in the address of a page; of all addresses one that this computer's own browser can open.
  package var name: String {
    switch text {
    case "0.0.0.0": "127.0.0.1"
    case "::": "[::1]"
    default: text.contains(":") ? "[\(text)]" : text
    }
  }

  /// Whether the host of a request is an address in digits: `10.0.0.1`, `[fe80::1]`.
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
