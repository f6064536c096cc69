import StoreModel
import StoreEngine
import Synchronization

/// Collects the progress reports of a request.
final class ProgressNotes: Sendable {
  private let notes = Mutex<[BatchProgress]>([])

  @Sendable func note(_ progress: BatchProgress) {
    notes.withLock { $0.append(progress) }
  }

  var all: [BatchProgress] { notes.withLock { $0 } }
}
