#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Who makes a transaction and when, as its row says it.
package struct HistoryOrigin: Hashable, Sendable {
  package var author: String?
  package var bundle: String?
  package var context: String?
  package var process: String?
  /// Seconds since 2001.
  package var timestamp: Double

  package init(
    author: String?, bundle: String?, context: String? = nil, process: String?, timestamp: Double
  ) {
    self.author = author
    self.bundle = bundle
    self.context = context
    self.process = process
    self.timestamp = timestamp
  }

  /// This program, now. An app that skips its own author's transactions sees these.
  package static var storetool: HistoryOrigin {
    HistoryOrigin(
      author: "storetool", bundle: "storetool", process: "storetool",
      timestamp: Date().timeIntervalSinceReferenceDate)
  }

  /// In the order of `HistoryColumn.origins`.
  var texts: [String?] { [author, bundle, context, process] }
}
