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
    static let busy = Refusal(
      status: 503, text: "Too much is going on. Close other windows of this page, then try again.")
  }

  /// What a request says of itself.
  struct Head {
    var method: String
    var path: String
    /// All values of a header, its name in lower case.
    var values: (String) -> [String]
  }

  let token: String
  let port: Int
  /// Whether the server listens on the loopback address alone.
  let isLoopback: Bool

  func verdict(on head: Head) -> Verdict {
    let hosts = head.values("host")
    guard hosts.count == 1, isOurs(host: hosts[0]) else { return .refused(.otherHost) }
    guard isOurs(head, host: hosts[0]) else { return .refused(.otherOrigin) }
    guard let name = nameBehindToken(head.path) else { return .refused(.noToken) }
    switch name {
    case "api/run", "api/bytes":
      guard head.method == "POST" else { return .refused(.wrongMethod) }
      // No form of another page can send this type, and no script without asking first.
      guard head.values("content-type") == ["application/json"] else { return .refused(.wrongType) }
      return .answer(name == "api/run" ? .frames : .bytes)
    case _ where head.method != "GET": return .refused(.wrongMethod)
    case "api/page": return .description
    default: return .asset(name.isEmpty ? "index.html" : name)
    }
  }

  /// By a name that others can let lead here, a page of theirs would have our origin (DNS rebinding).
  private func isOurs(host: String) -> Bool {
    let end = ":\(port)"
    // Browsers do not write the port of http.
    guard host.hasSuffix(end) || port == 80 else { return false }
    let name = host.hasSuffix(end) ? host.dropLast(end.count) : host[...]
    if ["127.0.0.1", "localhost", "[::1]"].contains(name) { return true }
    // An address of digits leads nowhere but to us.
    return !isLoopback && (name.first == "[" || name.allSatisfy { $0.isNumber || $0 == "." })
  }

  private func isOurs(_ head: Head, host: String) -> Bool {
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
    let given = Array(path.utf8)
    let wanted = Array("/\(token)/".utf8)
    guard given.count >= wanted.count else { return nil }
    var difference: UInt8 = 0
    for (left, right) in zip(given, wanted) { difference |= left ^ right }
    guard difference == 0 else { return nil }
    let name = given.dropFirst(wanted.count).prefix { $0 != UInt8(ascii: "?") }
    return String(decoding: name, as: UTF8.self)
  }
}
