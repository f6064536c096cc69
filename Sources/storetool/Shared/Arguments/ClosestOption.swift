import ArgumentParser

/// Of commands that only read.
enum ClosestOption {
  static let name = "--closest"
  static let help: ArgumentHelp =
    "Read a store that no version at hand wrote by the nearest one, without what differs."
}
