// Expands the macros of the SwiftData stub without swift-syntax. The compiler starts this program and sends it messages
// in JSON, each preceded by its length in eight bytes.

import Foundation

func readBytes(_ count: Int) throws -> Data? {
  var bytes = Data()
  while bytes.count < count {
    guard let more = try FileHandle.standardInput.read(upToCount: count - bytes.count) else {
      return nil
    }
    bytes += more
  }
  return bytes
}

func answer(_ request: String, _ content: [String: Any]) -> [String: Any] {
  if request == "getCapability" {
    return ["getCapabilityResult": ["capability": ["protocolVersion": 7, "features": [String]()]]]
  }
  var source = ""
  func syntax(_ key: String) -> String? {
    (content[key] as? [String: Any])?["source"] as? String
  }
  // The only macro with an expansion. It adds a conformance, unless the class inherits it.
  if let type = syntax("extendedTypeSyntax"),
    let missing = syntax("conformanceListSyntax"), missing.contains("PersistentModel")
  {
    source = "extension \(type): SwiftData.PersistentModel {}"
  }
  return ["expandMacroResult": ["expandedSource": source, "diagnostics": [String]()]]
}

while let head = try readBytes(8) {
  let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
  // A message without content is the last.
  guard length > 0 else { break }
  guard let body = try readBytes(length),
    let message = try JSONSerialization.jsonObject(with: body) as? [String: [String: Any]],
    let (request, content) = message.first
  else { exit(1) }
  let reply = try JSONSerialization.data(withJSONObject: answer(request, content))
  var count = UInt64(reply.count).littleEndian
  FileHandle.standardOutput.write(Data(bytes: &count, count: 8) + reply)
}
