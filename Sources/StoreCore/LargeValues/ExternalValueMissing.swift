package import StoreDiagnostics

/// A row names a file beside the store that is not there, or not one that is read.
package struct ExternalValueMissing: Error, Hashable {
  package var name: String
  package var folder: FilePath?
  package var problem = ExternalFileError.missing
}
