import StorePredicate

// Foundation has types of the same names. These are nearer, so that tests may import both.
typealias Predicate = StorePredicate.Predicate
typealias Expression = StorePredicate.Expression
