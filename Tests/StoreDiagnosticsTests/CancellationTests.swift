import StoreDiagnostics
import Testing

struct CancellationTests {
  @Test func whatIsWishedIsThrown() throws {
    let cancellation = Cancellation()
    try cancellation.check()
    cancellation.request()
    #expect(cancellation.isRequested)
    #expect(throws: Cancelled()) { try cancellation.check() }
    #expect(Cancelled().diagnostics.map(\.cause) == [.cancelled])
  }
}
