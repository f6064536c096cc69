import StoreDiagnostics
import Testing

@testable import storetool

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs other programs in the same way as `GitRepository` runs Git.
struct ChildProcessTests {
  private func shell(_ script: String) throws -> ProcessResult {
    try ProcessResult(of: ["sh", "-c", script])
  }

  @Test func inheritsOnlyTheStandardStreams() throws {
    let opened = open("/dev/null", O_RDONLY)
    try #require(opened >= 0)
    defer { close(opened) }
    try #require(fcntl(opened, F_GETFD) == 0, "a descriptor that a child would inherit")
    let result = try shell(
      "for n in 0 1 2 3 4 5 6 7 8 9 \(opened); do test -e /dev/fd/$n && echo $n; done; true")
    #expect(result.text == "0\n1\n2\n")
  }

  @Test func readsOutputAndErrorsTogether() throws {
    let result = try shell("head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; echo end >&2")
    #expect(result.output.count == 300_000)
    #expect(result.errors.utf8.count == 300_004)
    #expect(result.errors.hasSuffix("\0end\n"))
  }

  @Test func hasAnEmptyInput() throws {
    #expect(try shell("cat; echo read").text == "read\n")
  }

  @Test func passesBytesThatAreNotText() throws {
    let name = LocalPath(bytes: [0x61, 0xFF, 0x62])
    let result = try ProcessResult(of: ["printf", "%s", name.argument])
    #expect(result.output == name.bytes)
  }

  @Test(arguments: [("exit 3", 3), ("kill -9 $$", 137)])
  func statusAsInAShell(script: String, status: Int32) throws {
    #expect(try shell(script).status == status)
  }

  @Test func programIsMissing() {
    #expect(throws: ChildProcessError.notFound("no-such-program")) {
      try ProcessResult(of: ["no-such-program"])
    }
  }
}
