import PageAssets

/// A file of the page, as it lies in the program.
struct PageAsset {
  let contentType: String
  let bytes: UnsafeBufferPointer<UInt8>

  /// By its whole name: no path is put together, so none leads out of the table.
  init?(named name: String) {
    for index in 0..<page_asset_count {
      guard let asset = page_assets?[index] else { return nil }
      guard let found = asset.name, String(cString: found) == name else { continue }
      bytes = UnsafeBufferPointer(start: asset.bytes, count: asset.length)
      contentType = Self.contentType(of: name)
      return
    }
    return nil
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
