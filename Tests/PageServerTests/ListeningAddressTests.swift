import Testing

@testable import PageServer

@Suite("Addresses in digits")
struct ListeningAddressTests {
  @Test(
    "Which of them other computers reach, and how a page's address names them",
    arguments: [
      ("127.0.0.1", true, "127.0.0.1"), ("127.9.9.9", true, "127.9.9.9"), ("::1", true, "[::1]"),
      ("::ffff:127.0.0.1", true, "[::ffff:127.0.0.1]"), ("0.0.0.0", false, "127.0.0.1"),
      ("::", false, "[::1]"), ("10.0.0.1", false, "10.0.0.1"), ("fe80::1", false, "[fe80::1]"),
      ("0:0:0:0:0:0:0:1", true, "[::1]"),
    ])
  func reach(host: String, isLoopback: Bool, name: String) throws {
    let address = try ListeningAddress(host)
    #expect(address.isLoopback == isLoopback)
    #expect(address.name == name)
  }

  @Test(
    "Names are not looked up", arguments: ["localhost", "example.org", "", "1.2.3.4.5", "[::1]"])
  func names(host: String) {
    #expect(throws: PageServerError.noAddress(host)) { try ListeningAddress(host) }
  }
}
