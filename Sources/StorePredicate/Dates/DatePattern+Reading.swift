extension DatePattern {
  /// Returns the seconds since 2001-01-01 00:00 UTC, or nil if `text` doesn't match the pattern.
  package func seconds(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { seconds(utf8: $0) }
  }

  /// Returns the seconds since 2001-01-01 00:00 UTC, or nil if the UTF-8 text doesn't match the pattern. Parts that the
  /// pattern doesn't contain are those of 2000-01-01T00:00:00Z.
  package func seconds(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    switch kind {
    case .epoch(let perSecond): return Self.seconds(sinceEpoch: bytes, perSecond)
    case .fields(let fields):
      var reader = PatternReader(scanner: DateScanner(bytes: bytes))
      guard fields.allSatisfy({ reader.read($0) }), reader.scanner.isAtEnd else { return nil }
      return reader.seconds
    }
  }

  private static func seconds(
    sinceEpoch bytes: UnsafeBufferPointer<UInt8>, _ perSecond: Int64
  ) -> Double? {
    let text = String(decoding: bytes, as: UTF8.self)
    let offset = ISODate.referenceDay * ISODate.secondsPerDay
    if let units = Int64(text), units.magnitude < 1 << 53 {
      // Both numbers are exact, so only the division rounds.
      return Double(units - offset * perSecond) / Double(perSecond)
    }
    // `Double` also accepts "nan", "inf" and hexadecimal digits.
    guard bytes.allSatisfy({ "0123456789.-+eE".utf8.contains($0) }), let units = Double(text),
      units.magnitude <= ISODate.limit
    else { return nil }
    return units / Double(perSecond) - Double(offset)
  }
}

/// Reads a date by the fields of a pattern.
private struct PatternReader {
  var scanner: DateScanner
  var year: Int64 = 2000
  var month: Int64 = 1
  var day: Int64 = 1
  var hour: Int64 = 0
  var isHalfDay = false
  var isAfternoon = false
  var minute: Int64 = 0
  var second: Int64 = 0
  var fraction = 0..<0
  var offset: Int64 = 0

  /// The seconds since 2001-01-01 00:00 UTC, or nil if the month or the day doesn't exist.
  var seconds: Double? {
    guard let day = CivilDay(year: year, month: month, day: day) else { return nil }
    let hours = isHalfDay && isAfternoon ? hour + 12 : hour
    let whole =
      (day.daysSince1970 - ISODate.referenceDay) * ISODate.secondsPerDay + hours * 3_600
      + minute * 60 + second - offset
    return ISODate.join(whole, UnsafeBufferPointer(rebasing: scanner.bytes[fraction]))
  }

  /// Reads the next field. Returns false if the text doesn't match it.
  mutating func read(_ field: DatePattern.Field) -> Bool {
    switch field {
    case .literal(let text):
      return scanner.take(text)
    case .number(let part, let digits):
      guard let number = scanner.readNumber(of: digits) else { return false }
      return set(part, to: number)
    case .monthName:
      guard let index = readName(of: Self.months) else { return false }
      month = Int64(index + 1)
      return true
    case .weekday: return readName(of: Self.weekdays) != nil
    case .dayPeriod:
      guard let index = readName(of: ["am", "pm"]) else { return false }
      isAfternoon = index == 1
      return true
    case .fraction:
      guard let digits = scanner.readDigits() else { return false }
      fraction = digits
      return true
    case .zone: return readZone()
    }
  }

  private mutating func set(_ part: DatePattern.Part, to number: Int64) -> Bool {
    switch part {
    case .year: year = number
    case .shortYear: year = number < 50 ? 2000 + number : 1900 + number
    // The day is validated after all fields have been read.
    case .month: month = number
    case .day: day = number
    case .hour: return set(hour: number, 0...23)
    case .hourFrom1: return set(hour: number, 1...24)
    case .hourOfHalf, .hourOfHalfFrom1:
      isHalfDay = true
      return set(hour: number, part == .hourOfHalf ? 0...11 : 1...12)
    case .minute:
      minute = number
      return number < 60
    case .second:
      second = number
      return number < 60
    }
    return true
  }

  /// Sets the hour. Returns false if it isn't in the range. In a range that begins with 1, the last hour (12 or 24)
  /// means hour 0.
  private mutating func set(hour number: Int64, _ range: ClosedRange<Int64>) -> Bool {
    hour = range.lowerBound == 1 && number == range.upperBound ? 0 : number
    return range.contains(number)
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Reads a name or its first three letters, without regard to case. Returns the index of the name, or nil if the text
  /// doesn't begin with a name.
  private mutating func readName(of names: [String]) -> Int? {
    let word = scanner.rest.prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
    let text = String(decoding: word, as: UTF8.self).lowercased()
    guard !text.isEmpty,
      let index = names.firstIndex(where: { $0 == text || String($0.prefix(3)) == text })
    else { return nil }
    scanner.position += word.count
    return index
  }

  /// Reads an offset from UTC: `Z`, `GMT`, `UTC`, `+0200`, `+02:00`, `+02`, `GMT+02:00`.
  private mutating func readZone() -> Bool {
    let hasName = ["GMT", "UTC", "Z", "z"].contains { scanner.take($0.utf8) }
    guard scanner.peek() == UInt8(ascii: "+") || scanner.peek() == UInt8(ascii: "-") else {
      return hasName
    }
    guard let read = scanner.readOffset() else { return false }
    offset = read
    return true
  }
}
