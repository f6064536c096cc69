import StoreLayout
import StoreDiagnostics
import StoreEngine
import StoreModel

/// A store, the model version that wrote it, and where the one lies in the other.
struct OpenStore {
  let store: Store
  let found: FoundModel
  let layout: StoreLayout

  var model: Model { found.model }

  init(_ store: Store, _ found: FoundModel) throws {
    self.store = store
    self.found = found
    layout = try store.readableLayout(for: found.model, configuration: found.configuration)
  }

  /// What rows need to be written out.
  ///
  /// - Parameter unread: counts values whose files are not read; without it the first one is an error.
  func context(counting unread: UnreadFiles? = nil) -> RowContext {
    RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder, counting: unread))
  }
}

/// A store of no model version at hand, with the versions that could not be looked at; where none could,
/// their mistakes alone.
struct UnknownVersion: DiagnosableError {
  let diagnostics: [Diagnostic]
  /// Nil where no version could be looked at.
  let verdict: VersionGap.Verdict?

  init(_ store: Store, _ matcher: ModelMatcher) {
    guard !matcher.readNothing else {
      (diagnostics, verdict) = (matcher.unreadable, nil)
      return
    }
    guard case .unknown(let gap) = store.version(among: matcher.candidates) else {
      (diagnostics, verdict) = ([], nil)
      return
    }
    verdict = gap.verdict
    let error = StoreError.unknownVersion(path: store.path, gap)
    diagnostics = error.diagnostics + matcher.unreadableNotes
  }
}
