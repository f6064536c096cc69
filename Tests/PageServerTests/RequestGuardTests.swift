import Testing

@testable import PageServer

@Suite("The form of a request")
struct RequestGuardTests {
  private let gate = RequestGuard(token: "abcDEF-_123", port: 4040, isLoopback: true)

  private func verdict(
    _ method: String, _ path: String, _ headers: [String: [String]] = [:],
    by gate: RequestGuard? = nil
  ) -> RequestGuard.Verdict {
    let all = ["host": ["127.0.0.1:4040"]].merging(headers) { $1 }
    return (gate ?? self.gate).verdict(
      on: .init(method: method, path: path, values: { all[$0] ?? [] }))
  }

  private let ours = [
    "origin": ["http://127.0.0.1:4040"], "content-type": ["application/json"],
    "sec-fetch-site": ["same-origin"],
  ]

  @Test("The page, its files and its requests")
  func allowed() {
    #expect(verdict("GET", "/abcDEF-_123/") == .asset("index.html"))
    #expect(verdict("GET", "/abcDEF-_123/views/rows.js?x=1") == .asset("views/rows.js"))
    #expect(verdict("GET", "/abcDEF-_123/api/page") == .description)
    #expect(verdict("POST", "/abcDEF-_123/api/run", ours) == .answer(.frames))
    #expect(verdict("POST", "/abcDEF-_123/api/bytes", ours) == .answer(.bytes))
    for host in ["localhost:4040", "[::1]:4040"] {
      #expect(verdict("GET", "/abcDEF-_123/", ["host": [host]]) == .asset("index.html"))
    }
  }

  @Test(
    "Without the token there is nothing",
    arguments: [
      "/", "", "/index.html", "/abcDEF-_123", "/abcDEF-_124/", "/abcDEF-_12", "//abcDEF-_123/",
      "/ABCdef-_123/", "/%61bcDEF-_123/", "/api/run", "*", "http://127.0.0.1:4040/abcDEF-_123/",
    ])
  func noToken(path: String) {
    #expect(verdict("GET", path) == .refused(.noToken))
    #expect(verdict("POST", path, ours) == .refused(.noToken))
  }

  @Test(
    "Another name leads nowhere",
    arguments: [
      ["evil.example:4040"], ["127.0.0.1"], ["127.0.0.1:4041"], ["127.0.0.1.evil.example:4040"],
      ["localhost.:4040"], [], ["127.0.0.1:4040", "127.0.0.1:4040"], ["10.0.0.1:4040"], [":4040"],
    ])
  func otherHost(hosts: [String]) {
    #expect(verdict("GET", "/abcDEF-_123/", ["host": hosts]) == .refused(.otherHost))
  }

  @Test("A server for others is reached by its address, and still by no name")
  func others() {
    let gate = RequestGuard(token: "t", port: 80, isLoopback: false)
    #expect(verdict("GET", "/t/", ["host": ["10.0.0.1:80"]], by: gate) == .asset("index.html"))
    #expect(verdict("GET", "/t/", ["host": ["[fe80::1]:80"]], by: gate) == .asset("index.html"))
    #expect(verdict("GET", "/t/", ["host": ["evil.example:80"]], by: gate) == .refused(.otherHost))
  }

  @Test(
    "A host that isn't a numeric address is refused for a server for others",
    arguments: ["[evil.example]", "", "2130706433", "[10.0.0.1]", "fe80::1", "1.2.3", "[]", "[::1"])
  func noAddress(name: String) {
    let gate = RequestGuard(token: "t", port: 4040, isLoopback: false)
    #expect(verdict("GET", "/t/", ["host": ["\(name):4040"]], by: gate) == .refused(.otherHost))
  }

  @Test("Another address of this computer is a host when it is listened on")
  func anotherLoopback() throws {
    let address = try ListeningAddress("127.0.0.2")
    #expect(address.isLoopback)
    let gate = RequestGuard(token: "t", host: address.name, port: 4040, isLoopback: true)
    let host = ["host": ["127.0.0.2:4040"]]
    #expect(verdict("GET", "/t/", host, by: gate) == .asset("index.html"))
    #expect(verdict("GET", "/abcDEF-_123/", host) == .refused(.otherHost))
  }

  @Test("A request is HTTP/1.1, with its body")
  func form() {
    var old = RequestGuard.Head(method: "GET", path: "/abcDEF-_123/", values: { _ in [] })
    old.isOld = true
    #expect(gate.verdict(on: old) == .refused(.oldVersion))
    let expecting = ours.merging(["expect": ["100-continue"]]) { $1 }
    #expect(verdict("POST", "/abcDEF-_123/api/run", expecting) == .refused(.expectation))
  }

  @Test("A browser leaves out the port of http")
  func portOfHTTP() {
    let gate = RequestGuard(token: "t", port: 80, isLoopback: true)
    let headers = ["host": ["localhost"], "origin": ["http://localhost"]]
    #expect(verdict("GET", "/t/", headers, by: gate) == .asset("index.html"))
    for name in ["evil.example", "", "127.0.0.1:8080"] {
      #expect(verdict("GET", "/t/", ["host": [name]], by: gate) == .refused(.otherHost))
    }
  }

  @Test(
    "Another origin is refused",
    arguments: [
      "http://evil.example", "null", "http://127.0.0.1:4041", "https://127.0.0.1:4040",
      "http://localhost:4040", "http://127.0.0.1:4040/",
    ])
  func otherOrigin(origin: String) {
    var headers = ours
    headers["origin"] = [origin]
    #expect(verdict("POST", "/abcDEF-_123/api/run", headers) == .refused(.otherOrigin))
    #expect(verdict("GET", "/abcDEF-_123/api/page", headers) == .refused(.otherOrigin))
  }

  @Test("A request without an origin may only read files")
  func noOrigin() {
    var headers = ours
    headers["origin"] = nil
    #expect(verdict("POST", "/abcDEF-_123/api/run", headers) == .refused(.otherOrigin))
  }

  @Test("Another site may lead to the page, and load nothing of it")
  func crossSite() {
    let link = ["sec-fetch-site": ["cross-site"], "sec-fetch-mode": ["navigate"]]
    #expect(verdict("GET", "/abcDEF-_123/", link) == .asset("index.html"))
    let load = ["sec-fetch-site": ["cross-site"], "sec-fetch-mode": ["no-cors"]]
    #expect(verdict("GET", "/abcDEF-_123/main.js", load) == .refused(.otherOrigin))
    #expect(
      verdict("POST", "/abcDEF-_123/api/run", ours.merging(link) { $1 }) == .refused(.otherOrigin))
  }

  @Test("GET never writes, and the content types of forms are refused")
  func methods() {
    #expect(verdict("GET", "/abcDEF-_123/api/run") == .refused(.wrongMethod))
    for method in ["PUT", "DELETE", "OPTIONS", "HEAD", "CONNECT"] {
      #expect(
        verdict(method, "/abcDEF-_123/", ["origin": ["http://127.0.0.1:4040"]])
          == .refused(.wrongMethod))
    }
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
      var headers = ours
      headers["content-type"] = [type]
      #expect(verdict("POST", "/abcDEF-_123/api/run", headers) == .refused(.wrongType))
    }
  }

  @Test(
    "No path leads out of the page's files",
    arguments: [
      "../Package.swift", "..%2fPackage.swift", "/etc/passwd", "views/../main.js", "./main.js",
      "main.js%00", "MAIN.JS", "views/", "page/main.js",
    ])
  func paths(name: String) {
    guard case .asset(let wanted) = verdict("GET", "/abcDEF-_123/\(name)") else { return }
    #expect(PageAsset(named: wanted) == nil)
  }

  @Test("The files are in the program")
  func files() throws {
    let asset = try #require(PageAsset(named: "index.html"))
    #expect(asset.contentType == "text/html; charset=utf-8")
    #expect(String(decoding: asset.bytes, as: UTF8.self).hasPrefix("<!doctype html>"))
  }
}
