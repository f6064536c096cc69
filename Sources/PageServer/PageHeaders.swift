import NIOHTTP1

/// What each answer tells the browser: that the page loads nothing but from here, and runs nothing but its files.
enum PageHeaders {
  static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types 'none'",
  ].joined(separator: "; ")

  static func of(_ contentType: String, length: Int? = nil) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "content-type": contentType, "content-security-policy": policy,
      "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()", "cache-control": "no-store",
    ]
    if let length { headers.add(name: "content-length", value: "\(length)") }
    return headers
  }
}
