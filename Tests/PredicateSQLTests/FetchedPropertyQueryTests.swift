import PredicateSQL
import SampleData
import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate
import Testing

/// Fetched properties of given objects, in SQL and in memory.
struct FetchedPropertyQueryTests {
  /// The fetched property Employee.alike, and the rows that it returns for Ann (1), Bob (2) and zoe (4), whose only
  /// value is her name.
  @Test(
    arguments: [
      ("department == $FETCH_SOURCE.department AND SELF != $FETCH_SOURCE", [[2], [1], []]),
      ("mentor == $FETCH_SOURCE", [[2, 3], [], []]),
      ("age < $FETCH_SOURCE.age", [[2, 3], [], []]),
      ("SELF IN $FETCH_SOURCE.mentees", [[2, 3], [], []]),
      ("ANY $FETCH_SOURCE.skills.name == 'Swift' AND age == 31", [[2, 3], [2, 3], []]),
      ("mentor == $FETCH_SOURCE.mentor AND $FETCH_SOURCE.mentor.name == 'Ann'", [[], [2, 3], []]),
      ("department.name == $FETCHED_PROPERTY.userInfo.search", [[1, 2], [1, 2], [1, 2]]),
      ("ANY skills IN $FETCH_SOURCE.skills AND SELF != $FETCH_SOURCE", [[2], [1], []]),
    ] as [(String, [[Int64]])])
  func sameRowsInBoth(text: String, expected: [[Int64]]) throws {
    let model = try model(text)
    let store = try CompanyStore()
    let layout = StoreLayout(model: model)
    for (key, found) in zip([1, 2, 4] as [Int64], expected) {
      let source = ObjectID(
        store: CompanyStore.uuid, entity: key == 1 ? "Manager" : "Employee", primaryKey: key)
      let request = try StoreFetchRequest(fetchedProperty: "alike", of: source, in: model)
      let query = try request.sql(in: layout, storeUUID: CompanyStore.uuid)
      let rows = try store.inside { try $0.rows(query.sql) }
      #expect(rows.map(\.first) == found.map { .integer($0) }, "\(text) of \(key)")

      var evaluator = PredicateEvaluator(nulls: .sql)
      evaluator.object = { Worker(key: $0.primaryKey) }
      let predicate = try #require(request.predicate)
      let matching = try [1, 2, 3, 4].filter {
        try evaluator.matches(predicate, .object(Worker(key: $0)))
      }
      #expect(matching == found, "\(text) of \(key) in memory")
    }
  }

  private func model(_ text: String) throws -> DataModel {
    var entities = CompanyStore.model.entities
    let employee = try #require(entities.firstIndex { $0.name == "Employee" })
    let request = FetchRequestTemplate(
      name: "fetchedPropertyFetchRequest", entity: "Employee", predicateText: PredicateText(text),
      predicate: try FormatPredicate(parsing: text), resultType: .objectIDs)
    entities[employee].fetchedProperties = [
      FetchedProperty(name: "alike", request: request, userInfo: ["search": "Research"])
    ]
    return DataModel(name: "Company", entities: entities)
  }

  /// The employees of `CompanyStore`, as objects.
  private struct Worker: PredicateObject {
    var key: Int64

    var objectID: ObjectID? {
      ObjectID(
        store: CompanyStore.uuid, entity: key == 1 ? "Manager" : "Employee", primaryKey: key)
    }

    func isNamed(by id: ObjectID) -> Bool { id.primaryKey == key }

    private static let names = ["Ann", "Bob", "Zoë", "zoe 50%_*"]
    private static let ages: [Int64: Int64] = [1: 52, 2: 31, 3: 31]
    private static let departments: [Int64: String] = [1: "Research", 2: "Research", 3: "Sales"]
    private static let skills: [Int64: [String?]] = [1: ["Swift", "SQL"], 2: ["Swift"], 3: [nil]]

    func value(forKey name: String) -> EvaluatedValue? {
      switch name {
      case "name": .value(.string(Self.names[Int(key) - 1]))
      case "age": Self.ages[key].map { .value(.integer($0)) } ?? .null
      case "department": Self.departments[key].map { .object(Named("Department", $0)) } ?? .null
      case "mentor": [2, 3].contains(key) ? .object(Worker(key: 1)) : .null
      case "mentees": .set(key == 1 ? [.object(Worker(key: 2)), .object(Worker(key: 3))] : [])
      case "skills": .set((Self.skills[key] ?? []).map { .object(Named("Skill", $0)) })
      default: nil
      }
    }

    func leadsThroughToMany(_ keys: [String]) -> Bool {
      keys.contains("mentees") || keys.contains("skills")
    }
  }

  /// An object that is identified by its name.
  private struct Named: PredicateObject {
    let entity: String
    let name: String?

    init(_ entity: String, _ name: String?) {
      self.entity = entity
      self.name = name
    }

    var objectID: ObjectID? {
      let known = ["Research", "Sales", "Swift", "SQL"]
      let key = known.firstIndex(of: name ?? "") ?? known.count
      return ObjectID(store: nil, entity: entity, primaryKey: Int64(key + 1))
    }

    func value(forKey key: String) -> EvaluatedValue? {
      key == "name" ? name.map { .value(.string($0)) } ?? .null : nil
    }
  }
}
