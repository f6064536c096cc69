/// What answers the requests of the page; the server knows nothing of stores.
package protocol PageService: Sendable {
  /// What the page asks for first: which stores there are, as JSON.
  var description: [UInt8] { get }

  /// Runs what a request asks for, on a thread of its own, and writes the answer as it comes.
  ///
  /// - Parameter body: JSON, within the server's limit; not looked at yet.
  func answer(_ body: [UInt8], as kind: AnswerKind, to client: PageClient)
}

/// In which form the page wants an answer.
package enum AnswerKind: Sendable {
  /// Lines of JSON, one for each thing that happens.
  case frames
  /// One value as it is stored.
  case bytes
}

/// Where an answer goes. Used by one thread; its functions wait until the bytes are on their way.
package protocol PageClient: Sendable {
  /// - Throws: `ClientGone`
  func begin(status: Int, contentType: String) throws(ClientGone)
  /// - Throws: `ClientGone`
  func write(_ bytes: [UInt8]) throws(ClientGone)
  /// - Throws: `ClientGone`
  func end() throws(ClientGone)
  /// Ends the connection instead: a part of the answer must not pass for all of it.
  func breakOff()
  /// Whether nobody waits for the answer any more.
  var isGone: Bool { get }
}

/// The page was left, or nobody has read for a minute.
package struct ClientGone: Error, Hashable {
  package init() {}
}
