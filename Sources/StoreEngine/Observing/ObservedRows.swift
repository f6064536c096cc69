#if canImport(SwiftUI)
  public import StoreModel
  public import SwiftUI

  /// The rows of a query in a SwiftUI view. The view is updated after each change of the rows.
  ///
  ///     struct TeaList: View {
  ///       @ObservedRows<Tea> private var teas: [Stored<Tea>]
  ///
  ///       init(store: PersistentStore) {
  ///         _teas = ObservedRows(Tea.all.ordered(by: \.name), in: store)
  ///       }
  ///
  ///       var body: some View { List(teas) { Text($0.name) } }
  ///     }
  ///
  /// The projected value, `$teas`, is the ``ObservedList``: `$teas.query = …` sorts or filters, and `$teas.error` is
  /// the error of the last read.
  @MainActor @propertyWrapper public struct ObservedRows<Object: StoredObject>: DynamicProperty {
    @State private var list: ObservedList<Object>

    /// Creates the list. SwiftUI keeps it as long as the view exists.
    ///
    /// - Parameters:
    ///   - query: the rows and their order. A later change of this argument has no effect; set `$teas.query` instead.
    ///   - store: the store that contains the rows.
    public init(_ query: TypedQuery<Object>, in store: PersistentStore) {
      _list = State(initialValue: ObservedList(query, in: store))
    }

    /// The rows in the order of the query. They are empty until the first read has ended.
    public var wrappedValue: [Stored<Object>] { list.rows }

    /// The list with the query, the state of loading and the error.
    public var projectedValue: ObservedList<Object> { list }
  }
#endif
