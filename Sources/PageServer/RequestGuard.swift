/// Decides what a request may have. Whatever another page, another program or a guess sends is refused here, before
/// anything of its body is read.
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
      text: "There is nothing here. Open the address that 'storetool browse' has printed.")
    static let otherHost = Refusal(
      status: 421,
      text:
        "This address was asked for by another name. Open the one that 'storetool browse' has printed."
    )
    static let otherOrigin = Refusal(status: 403, text: "Another page has asked for this.")
    static let noSuchPage = Refusal(status: 404, text: "There is nothing of this name.")
    static let wrongMethod = Refusal(status: 405, text: "This is not how it is asked for.")
    static let wrongType = Refusal(status: 415, text: "A request is JSON.")
    static let tooLarge = Refusal(status: 413, text: "The request is too large.")
    static let malformed = Refusal(status: 400, text: "This is no request of HTTP.")
    static let oldVersion = Refusal(status: 505, text: "A request is HTTP/1.1.")
    static let expectation = Refusal(status: 417, text: "A request comes with its body.")
    static let busy = Refusal(
      status: 503, text: "Too much is going on. Close other windows of this page, then try again.")
  }

  /// What a request says of itself.
  struct Head {
    var method: String
    var path: String
    /// Not HTTP/1.1: what is older knows no answer in pieces.
    var isOld = false
    /// All values of a header, its name in lower case.
    var values: (String) -> [String]
  }

  let token: String
  /// What the server listens on, as an address of a page names it.
  var host = "127.0.0.1"
  let port: Int
  /// Whether the server listens on the loopback address alone.
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
      // No form of another page can send this type, and no script without asking first.
      guard head.values("content-type") == ["application/json"] else { return .refused(.wrongType) }
      guard head.values("expect").isEmpty else { return .refused(.expectation) }
      return .answer(name == "api/run" ? .frames : .bytes)
    case _ where head.method != "GET": return .refused(.wrongMethod)
    case "api/page": return .description
    default: return .asset(name.isEmpty ? "index.html" : name)
    }
  }

  /// By a name that others can let lead here, a page of theirs would have our origin (DNS rebinding).
  private func isOurHost(_ host: String) -> Bool {
    let end = ":\(port)"
    // Browsers do not write the port of http.
    guard host.hasSuffix(end) || port == 80 else { return false }
    let name = host.hasSuffix(end) ? host.dropLast(end.count) : host[...]
    if ["127.0.0.1", "localhost", "[::1]", self.host[...]].contains(name) { return true }
    // An address of digits leads nowhere but to us.
    return !isLoopback && ListeningAddress.isAddress(name)
  }

  private func isOurPage(_ head: Head, host: String) -> Bool {
    let origins = head.values("origin")
    guard origins.isEmpty ? head.method == "GET" : origins == ["http://\(host)"] else {
      return false
    }
    // Who follows a link to the page comes from elsewhere; the page then asks for the rest itself.
    let sites = head.values("sec-fetch-site")
    return sites.allSatisfy { $0 == "same-origin" || $0 == "none" }
      || head.method == "GET" && head.values("sec-fetch-mode") == ["navigate"]
  }

  /// Nil where the path does not begin with the token, however nearly it does: the time tells nothing of it.
  private func nameBehindToken(_ path: String) -> String? {
    let beginning = "/\(token)/"
    let given = path.utf8
    guard isSameText(String(decoding: given.prefix(beginning.utf8.count), as: UTF8.self), beginning)
    else { return nil }
    let name = given.dropFirst(beginning.utf8.count).prefix { $0 != UInt8(ascii: "?") }
    return String(decoding: name, as: UTF8.self)
  }
}

/// Compares texts in a time that tells nothing of where they differ.
func isSameText(_ given: some StringProtocol, _ wanted: String) -> Bool {
  let (left, right) = (Array(given.utf8), Array(wanted.utf8))
  guard left.count == right.count else { return false }
  var difference: UInt8 = 0
  for (left, right) in zip(left, right) { difference |= left ^ right }
  return difference == 0
}
