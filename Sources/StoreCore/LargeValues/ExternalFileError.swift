package import StoreDiagnostics

/// Why a file with a value of the store is not read.
package enum ExternalFileError: Error, Hashable, Sendable {
  case missing
  /// The file, or a folder that it lies in, is a symbolic link: it may lead anywhere.
  case link(path: FilePath)
  /// Neither a file nor a link: a folder, a device, a FIFO, which may have no end.
  case special(path: FilePath)
  case unreadable(path: FilePath, code: Int32)
}
