/// Answers the requests of the page. The server doesn't depend on the code that reads stores.
package protocol PageService: Sendable {
  /// The answer to the first request of the page: the stores, as JSON.
  var description: [UInt8] { get }

  /// Runs a request, and writes the answer gradually. The server calls this on a thread that doesn't handle other
  /// requests at the same time.
  ///
  /// - Parameter body: the JSON of the request, which isn't parsed yet. Its size is within the server's limit.
  func answer(_ body: [UInt8], as kind: AnswerKind, to client: PageClient)
}

/// The form of an answer.
package enum AnswerKind: Sendable {
  /// Lines of JSON, one for each event.
  case frames
  /// A stored value.
  case bytes
}

/// The destination of an answer. It is used by one thread at a time. `begin`, `write` and `end` wait until the system
/// has accepted the bytes.
package protocol PageClient: Sendable {
  /// - Throws: `ClientGone`
  func begin(status: Int, contentType: String) throws(ClientGone)
  /// - Throws: `ClientGone`
  func write(_ bytes: [UInt8]) throws(ClientGone)
  /// - Throws: `ClientGone`
  func end() throws(ClientGone)
  /// Closes the connection, so that a partial answer isn't mistaken for a complete one.
  func breakOff()
  /// Whether the connection is closed.
  var isGone: Bool { get }
}

/// The error if the client has closed the connection, or hasn't read for a minute.
package struct ClientGone: Error, Hashable {
  package init() {}
}
