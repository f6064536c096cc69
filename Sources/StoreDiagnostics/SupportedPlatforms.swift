// Almost all targets depend on this one, so a build for an unsupported platform fails with this error first.
#if os(Linux) && (canImport(Glibc) || canImport(Musl)) || os(macOS)
#else
  #error("storetool supports Linux with glibc or musl, and macOS")
#endif
