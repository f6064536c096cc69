/// Decides how to handle a request, based on its head. Requests without the token, and requests of other sites except
/// links, are rejected before their body is read.
struct RequestGuard: Sendable {
  enum Verdict: Hashable, Sendable {
    case asset(String)
    case description
    case answer(AnswerKind)
    case refused(Refusal)
  }

  struct Refusal: Hashable, Sendable {
    var status: Int
    var text: String

    static let noToken = Refusal(
      status: 404,
      text: "Page not found. Open the address that 'storetool browse' printed.")
    static let otherHost = Refusal(
      status: 421,
      text:
        "The request contains another host. Open the address that 'storetool browse' printed."
    )
    static let otherOrigin = Refusal(status: 403, text: "The request is from another page.")
    static let noSuchPage = Refusal(status: 404, text: "Page not found.")
    static let wrongMethod = Refusal(status: 405, text: "The method isn't allowed for this path.")
    static let wrongType = Refusal(status: 415, text: "The content type must be application/json.")
    static let tooLarge = Refusal(status: 413, text: "The request is too large.")
    static let malformed = Refusal(status: 400, text: "The request isn't valid HTTP.")
    static let oldVersion = Refusal(status: 505, text: "The request must use HTTP/1.1.")
    static let expectation = Refusal(status: 417, text: "The header 'Expect' isn't supported.")
    static let busy = Refusal(
      status: 503, text: "The server is busy. Close other windows of this page, then try again.")
  }

  /// The head of a request.
  struct Head {
    var method: String
    var path: String
    /// Whether the request isn't HTTP/1.1. Older versions don't support chunked answers.
    var isOld = false
    /// Returns all values of a header by its name in lower case.
    var values: (String) -> [String]
  }

  let token: String
  /// The host in the server's address.
  var host = "127.0.0.1"
  let port: Int
  /// Whether the server only listens on the loopback address.
  let isLoopback: Bool

  func verdict(on head: Head) -> Verdict {
    guard !head.isOld else { return .refused(.oldVersion) }
    let hosts = head.values("host")
    guard hosts.count == 1, isOurHost(hosts[0]) else { return .refused(.otherHost) }
    guard isOurPage(head, host: hosts[0]) else { return .refused(.otherOrigin) }
    guard let name = nameBehindToken(head.path) else { return .refused(.noToken) }
    switch name {
    case "api/run", "api/bytes":
      guard head.method == "POST" else { return .refused(.wrongMethod) }
      // A form of another page can't send this content type. A script of another page requires a preflight request,
      // which is rejected.
      guard head.values("content-type") == ["application/json"] else { return .refused(.wrongType) }
      guard head.values("expect").isEmpty else { return .refused(.expectation) }
      return .answer(name == "api/run" ? .frames : .bytes)
    case _ where head.method != "GET": return .refused(.wrongMethod)
    case "api/page": return .description
    default: return .asset(name.isEmpty ? "index.html" : name)
    }
  }

  /// Returns whether a `Host` header has the port of this server, and one of its names or, unless the server only
  /// listens on the loopback address, any numeric address. Other names are rejected, because a page whose domain
  /// resolves to this server would have the same origin (DNS rebinding).
  private func isOurHost(_ host: String) -> Bool {
    let end = ":\(port)"
    // Browsers omit the default port of http.
    guard host.hasSuffix(end) || port == 80 else { return false }
    let name = host.hasSuffix(end) ? host.dropLast(end.count) : host[...]
    if ["127.0.0.1", "localhost", "[::1]", self.host[...]].contains(name) { return true }
    // A browser doesn't look up a numeric address in DNS, so DNS rebinding isn't possible.
    return !isLoopback && ListeningAddress.isAddress(name)
  }

  private func isOurPage(_ head: Head, host: String) -> Bool {
    let origins = head.values("origin")
    guard origins.isEmpty ? head.method == "GET" : origins == ["http://\(host)"] else {
      return false
    }
    // A link on another site may open the page (`navigate`). Other requests of other sites are rejected.
    let sites = head.values("sec-fetch-site")
    return sites.allSatisfy { $0 == "same-origin" || $0 == "none" }
      || head.method == "GET" && head.values("sec-fetch-mode") == ["navigate"]
  }

  /// Returns the path after the token, without the query; nil if the path doesn't begin with the token. The time
  /// doesn't depend on how many characters of the token match.
  private func nameBehindToken(_ path: String) -> String? {
    let beginning = "/\(token)/"
    let given = path.utf8
    guard isSameText(String(decoding: given.prefix(beginning.utf8.count), as: UTF8.self), beginning)
    else { return nil }
    let name = given.dropFirst(beginning.utf8.count).prefix { $0 != UInt8(ascii: "?") }
    return String(decoding: name, as: UTF8.self)
  }
}

/// Returns whether two texts are equal. The time depends on their lengths, but not on their characters.
func isSameText(_ given: some StringProtocol, _ wanted: String) -> Bool {
  let (left, right) = (Array(given.utf8), Array(wanted.utf8))
  guard left.count == right.count else { return false }
  var difference: UInt8 = 0
  for (left, right) in zip(left, right) { difference |= left ^ right }
  return difference == 0
}
