/// What made-up texts are made of.
enum Words {
  static let first = [
    "Ada", "Amir", "Ana", "Ben", "Chloé", "Daniel", "Elif", "Emma", "Finn", "Grace", "Hugo", "Ida",
    "Ivan", "Jun", "Karim", "Lara", "Leo", "Lucía", "Maja", "Mateo", "Mia", "Nina", "Noah", "Olga",
    "Omar", "Paul", "Priya", "Ray", "Sara", "Tom", "Yuki", "Zoë",
  ]
  static let last = [
    "Adams", "Baker", "Costa", "Dubois", "Evans", "Fischer", "García", "Hansen", "Ivanov", "Jones",
    "Kaya", "Kim", "Lopez", "Meyer", "Müller", "Nguyen", "Novak", "O'Brien", "Okafor", "Patel",
    "Rossi", "Sato", "Schmidt", "Silva", "Smith", "Tanaka", "Tran", "Vogel", "Walker", "Weber",
    "Wong", "Young",
  ]
  static let cities = [
    "Amsterdam", "Athens", "Berlin", "Bogotá", "Boston", "Cairo", "Chicago", "Delhi", "Dublin",
    "Geneva", "Hamburg", "Helsinki", "Kyoto", "Lagos", "Lisbon", "London", "Madrid", "Milan",
    "Montréal", "Nairobi", "Oslo", "Paris", "Prague", "Rome", "Seoul", "Sydney", "Tokyo", "Toronto",
    "Vienna", "Warsaw", "Zagreb", "Zürich",
  ]
  static let countries = [
    "Austria", "Brazil", "Canada", "Denmark", "Egypt", "France", "Germany", "India", "Italy",
    "Japan", "Kenya", "Mexico", "Norway", "Poland", "Spain", "United States",
  ]
  static let streets = ["Avenue", "Lane", "Road", "Square", "Street", "Way"]
  static let companies = ["& Sons", "GmbH", "Inc.", "Labs", "Ltd.", "Works"]
  static let colors = [
    "black", "blue", "brown", "gray", "green", "orange", "pink", "purple", "red", "teal", "white",
    "yellow",
  ]
  static let currencies = ["AUD", "CAD", "CHF", "EUR", "GBP", "INR", "JPY", "USD"]
  static let languages = ["ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "pt", "tr", "zh"]
  static let domains = ["com", "net", "org"]
  static let adjectives = [
    "Bright", "Broken", "Calm", "Cold", "Early", "Empty", "Fast", "First", "Green", "Happy",
    "Heavy", "Hidden", "Late", "Little", "Long", "New", "Old", "Open", "Quiet", "Red", "Round",
    "Sharp", "Silver", "Slow", "Small", "Soft", "Strong", "Sweet", "Tall", "Warm", "Wide", "Wild",
  ]
  static let nouns = [
    "anchor", "apple", "bicycle", "book", "bridge", "candle", "cloud", "coffee", "door", "engine",
    "forest", "garden", "hammer", "harbor", "island", "journey", "kettle", "ladder", "lamp",
    "letter", "mirror", "morning", "mountain", "paper", "pencil", "river", "shadow", "stone",
    "table", "train", "window", "winter",
  ]
  static let verbs = [
    "carries", "finds", "follows", "holds", "meets", "moves", "opens", "passes", "reaches", "sees",
    "turns", "watches",
  ]
}
