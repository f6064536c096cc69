import Foundation
import StorePredicate

/// The parts of inputs.
enum Grammar {
  /// One or more examples of every construct, for the entity that `Examination` uses.
  static let seeds = [
    "title == 'a' OR (priority >= 1 AND NOT done == YES) && ANY tags.name ==[cd] \"é\"",
    "title BEGINSWITH[c] $TEXT || title ENDSWITH 'x' OR title CONTAINS[d] 'y'",
    "title LIKE 'a*?\\\\*' AND title MATCHES[c] '[a-z]+\\\\d*'",
    "priority BETWEEN {1, 5} AND NOT priority IN {1, -2, 3.5, nil, $N}",
    "list.title == title AND list.items.@count > 2 AND list == $LIST",
    "ALL tags.name != nil OR NONE tags.items.title IN {'a', 'b'} OR SOME tags.name < 'c'",
    "SUBQUERY(tags, $t, $t.name == title AND SUBQUERY($t.items, $i, $i == SELF).@count > 0).@count == 1",
    "list.items.@sum.price > 10 AND list.items.@max.createdAt < now() OR tags.@avg.items.@count == 1",
    "TERNARY(done == YES, price * 2, ratio - 1) / (priority + 1) ** 2 <= -price",
    "CAST(5, 'NSDate') < createdAt AND CAST(title, 'NSNumber') == 5 AND createdAt > '2024-05-06'",
    "CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID') == code OR photo == CAST('AQI=', 'NSData')",
    "uppercase:(title) == 'A' AND lowercase(title) == 'b' AND canonical:(title) == 'c' AND length(title) > 1",
    "modulus:by:(priority, 3) == 1 AND abs(price) > sqrt(2) AND ceiling(ratio) == floor(ratio) + trunc(1.5)",
    "sum({1, 2, 3}) == 6 AND max(priority, 3) > min({priority, 2}) AND count(tags) == 0 AND average(list.items.price) > 1",
    "median({1, 2}) == 1.5 AND stddev({1, 3}) == 1 AND mode({1, 2, 2}) != nil AND log(10) + ln(1) + exp(0) > random()",
    "priority & 1 == 1 OR priority | 2 == 3 OR priority ^ 3 == 0 OR priority << 2 > 4 OR priority >> 1 == 0",
    "onesComplement:(priority) == 1 OR add:to:(priority, 2) == 3 OR raise:toPower:(2, priority) > 8",
    "steps[FIRST].title == 'a' OR steps[LAST] != nil OR steps[SIZE] == 2 OR steps[0].priority == steps[priority].priority",
    "tags UNION list.items.tags CONTAINS SELF OR (tags INTERSECT tags).@count == 0 OR {1} MINUS {2} CONTAINS 1",
    "FUNCTION(title, 'length') > 2 AND FUNCTION('add:to:', 1, 2) == 3 AND noindex:(title) == 'a'",
    "distanceToLocation:fromLocation:(place, place) < 100 AND place.city == 'Bern'",
    "SELF == $LIST OR SELF IN {'x-coredata:///Item/p7', 7} OR SELF.title == 'a' OR objectID == 1",
    "entity == 'Task' OR entity.name IN {'Item'} OR list.entity == 'List'",
    "TRUEPREDICATE AND NOT FALSEPREDICATE AND title == nil AND list != NULL AND tags.@count == 0x1F",
    "$FETCH_SOURCE.title == title AND $x.a.b[1] == 0b101 AND #size == 0o17 AND 1.5e-5 < 2E+3",
    "'a' IN tags.name AND $TAG IN tags AND tags CONTAINS $TAG AND 'b' IN title AND title IN[cd] {'ä'}",
    "tags.@distinctUnionOfObjects.name.@count > 1 AND list.items.@min.priority == 0",
    "%K == %@ AND %d < 5", "a[b[c[0]]] == d['e'] AND \\u0024x == '\\x41\\101\\u00e9'",
    "name = 'x' or not a != b and c <> d or e =< f and g => h", "größe == 名前 OR 😀 == '\u{0}'", "",
    "code == '6F9619FF-8B86-D011-B42D-00CF4FC964FF' AND site == 'https://example.org' AND anything != nil",
  ]

  /// The comparisons in the seeds. A single comparison is more often valid after a mutation.
  static let comparisons = seeds.flatMap { seed in
    seed.components(separatedBy: " AND ").flatMap { $0.components(separatedBy: " OR ") }
  }

  /// Words and symbols, which mutations insert anywhere.
  static let words = signs + calls

  private static let signs = [
    "AND", "OR", "NOT", "IN", "ANY", "ALL", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS",
    "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO",
    "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY(", "FETCH(", "CAST(", "TERNARY(", "FUNCTION(",
    "TRUEPREDICATE", "FALSEPREDICATE", "UTI-CONFORMS-TO", "UTI-EQUALS", "UNION", "INTERSECT",
    "MINUS", "(", ")", "{", "}", "[", "]", "[cd]", "[n]", "[l]", ",", ".", ":", ":=", "+", "-", "*",
    "/", "**", "&", "|", "^", "<<", ">>", "&&", "||", "!", "==", "=", "!=", "<>", "<", "<=", "=<",
    ">", ">=", "=>", "$x", "$TEXT", "$", "%@", "%K", "%d", "%", "@count", "@sum", "@max.price",
    "@avg", "@min", "@unionOfObjects", "@", "#self", "#", "'a'", "\"", "'", "\\", "'\\u00e9'", "0",
    "1", "-1", "1.5", "0x", "9223372036854775807", "9223372036854775808", "1e309", "5e-324",
    "title",
    "priority", "price", "ratio", "done", "createdAt", "code", "site", "place.city", "anything",
    "photo", "list", "list.items", "tags", "tags.name", "steps", "objectID", "entity", "sum(",
    "max(", "length(title)", "'NSDate'", "'NSNumber'", "'x-coredata:///Item/p7'", "'2024-05-06'",
    "{}", "{1, 2}", "\u{0}", "é", "e\u{301}", "😀", "\u{FEFF}", "\u{202E}", "\n",
  ]

  /// A call of each function, and the beginning of a call.
  private static let calls = FormatFunction.allCases.flatMap { function -> [String] in
    let arguments =
      switch function.definition.parameters {
      case .members: ["list.items.price"]
      case .arguments(let types):
        types.map { type in
          switch type {
          case .any: "list"
          case .number: "priority"
          case .text: "title"
          case .location: "place"
          }
        }
      }
    return ["(\(arguments.joined(separator: ", ")))", "("].map { function.rawValue + $0 }
  }

  /// Pairs that can surround a part of a text.
  static let wrappers = [
    ("(", ")"), ("NOT ", ""), ("!", ""), ("-", ""), ("NOT (", ")"), ("{", "}"), ("{1, ", "}"),
    ("list.items[", "]"), ("sum(", ")"), ("abs:(", ")"), ("SUBQUERY(tags, $t, ", ").@count > 0"),
    ("SUBQUERY(tags, $t, ", ")"), ("TERNARY(", ", 1, 2)"), ("TERNARY(1 == 1, ", ", 2)"),
    ("TERNARY(", ", 1, 2) == 1"), ("CAST(", ", 'NSNumber')"), ("FUNCTION(", ", 'length')"),
    ("1 + (", ")"), ("2 ** ", ""), ("", " + 1"), ("", "[0]"), ("", ".title"), ("", "[0].list"),
    ("", " UNION tags"), ("", " AND title == 'a'"), ("", " OR priority == 1"), ("ANY ", ""),
    ("", " == 1"), ("uppercase:(", ")"), ("(title == 'a' AND ", ")"), ("(", " OR done == YES)"),
  ]

  /// Each wrapper around each kind of middle, with few and with many levels, and long chains.
  static var deepTexts: [String] {
    var texts: [String] = []
    for (opening, closing) in wrappers {
      for middle in ["title == 'a'", "priority"] {
        for depth in [3, 78, 81, 400] {
          let text =
            String(repeating: opening, count: depth) + middle
            + String(repeating: closing, count: depth)
          texts += [text, text + " == 1"]
        }
      }
    }
    for (member, joint) in [
      ("priority == 1", " AND "), ("title == 'a'", " OR "), ("NOT done == YES", " && "),
      ("list.title == nil", " OR "), ("ANY tags.name == 'a'", " AND "),
    ] {
      texts.append(Array(repeating: member, count: 1_000).joined(separator: joint))
    }
    for member in ["1", "$x", "priority", "{1}"] {
      let members = Array(repeating: member, count: 2_000).joined(separator: ", ")
      texts += ["priority IN {\(members)}", "max(\(members)) == 1"]
    }
    return texts
  }

  /// Pieces whose repetition must take the same time for each byte as one piece.
  static var repeated: [String] {
    let ends = wrappers.flatMap { [$0.0, $0.1] }.filter { !$0.isEmpty }
    return seeds.filter { !$0.isEmpty } + ends + words.filter { $0.utf8.count < 3 }
  }
}
