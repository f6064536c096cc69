#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

extension FilePath {
  /// The kind of a file.
  package enum Kind: Hashable, Sendable {
    case file
    case folder
    case link
    case pipe
    /// A device or a socket.
    case other

    package init(_ status: stat) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .folder
      case S_IFLNK: self = .link
      case S_IFIFO: self = .pipe
      default: self = .other
      }
    }
  }

  /// What the system says of the file. After nil, `errno` has the reason.
  ///
  /// - Parameter followsLinks: whether a symbolic link counts as the file that it leads to.
  package func status(followsLinks: Bool = true) -> stat? {
    var status = stat()
    let code = withCString { followsLinks ? stat($0, &status) : lstat($0, &status) }
    return code == 0 ? status : nil
  }

  /// The kind of the file, which a link stands for; nil when there is no file, or none that the user may
  /// look at.
  package var kind: Kind? { status().map(Kind.init) }

  /// Whether something has the name, also a link that leads nowhere.
  package var isTaken: Bool { status(followsLinks: false) != nil }

  package var isLink: Bool { status(followsLinks: false).map(Kind.init) == .link }

  /// Whether the user may do something with the file. After false, `errno` has the reason.
  ///
  /// - Parameter mode: `R_OK`, `W_OK`, `X_OK`, or several of them.
  package func allows(_ mode: CInt) -> Bool { withCString { access($0, mode) == 0 } }

  /// The same file by a path without links and dots. After nil, `errno` has the reason.
  package var resolved: FilePath? {
    guard let path = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(path) }
    return FilePath(cString: path)
  }

  /// The file itself where the path is a symbolic link to it; otherwise the path.
  ///
  /// SQLite and Core Data keep a database's companions beside the file, not beside a link.
  package var followed: FilePath { isLink ? resolved ?? self : self }

  /// The working directory. After nil, `errno` has the reason.
  package static var workingDirectory: FilePath? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return FilePath(cString: path)
  }

  /// The path that a variable of the environment holds; nil when it is empty or not set.
  package init?(variable name: String) {
    guard let value = getenv(name), value[0] != 0 else { return nil }
    self.init(cString: value)
  }
}
