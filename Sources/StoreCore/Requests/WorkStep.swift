/// What long work does next, for people who wait.
package struct WorkStep: Hashable, Sendable {
  /// `checks 3 of 40`
  package var purpose: String
  /// How much of the work lies behind, from 0 to 1; nil where nobody knows.
  package var share: Double?

  package init(_ purpose: String, share: Double? = nil) {
    self.purpose = purpose
    self.share = share
  }

  /// One of several of about equal length.
  ///
  /// - Parameter number: from 1 on.
  package init(_ purpose: String, number: Int, of count: Int) {
    self.init(purpose, share: Double(number - 1) / Double(max(count, 1)))
  }
}
