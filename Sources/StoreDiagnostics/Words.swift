extension String {
  /// As it stands behind a number: `row`, or `rows` unless there is just one.
  package func plural(_ count: some BinaryInteger) -> String { count == 1 ? self : self + "s" }

  /// `a Date`, `an Integer 64`, `a UUID`, `an NSUUID`: by its sound, as far as names of types go.
  package var withArticle: String {
    let vowels: Set<Character> = ["A", "E", "I", "O", "a", "e", "i", "o"]
    let beginsWithVowel = hasPrefix("NS") || first.map(vowels.contains) == true
    return (beginsWithVowel ? "an " : "a ") + self
  }
}
