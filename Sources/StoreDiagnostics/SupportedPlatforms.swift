// Every other target imports this one, so the first error of a build for another platform is this one.
#if os(Linux) && (canImport(Glibc) || canImport(Musl)) || os(macOS)
#else
  #error("storetool supports Linux with glibc or musl, and macOS")
#endif
