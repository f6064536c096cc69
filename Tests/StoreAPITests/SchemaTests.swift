import StoreEngine
import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

/// The generated model equals the model that the reader creates from the same files.
struct SchemaTests {
  @Test(
    arguments: [
      ("BubbleTea", BubbleTeaModel.model), ("Company", CompanyModel.model),
      ("Journal", JournalModel.model), ("League", LeagueModel.model),
      ("People", PeopleModel.model), ("Shop", ShopModel.model), ("Todo", TodoModel.model),
      ("Library", LibraryModel.model),
    ])
  func generatedEqualsRead(name: String, generated: DataModel) throws {
    let folder = name == "Library" ? "Tests/StoreCodegenTests/Models" : "Models"
    let path = BuiltCommand.repository
      .appendingPathComponent("\(folder)/\(name).xcdatamodeld").path
    let bundle = try ModelBundle(at: path)
    let read = try bundle.requireCurrentVersion().read().model
    #expect(generated == read.withoutPlaces)
    #expect(generated.entities.count == read.entities.count)
  }

  /// The generated hashes equal the hashes that are computed if the source doesn't contain any, as in the plugin's
  /// source.
  @Test func hashesAreThoseOfTheModel() {
    func worked<Schema: SchemaModel>(out schema: Schema.Type) -> [String: String] {
      schema.versionHashes
    }
    #expect(ShopModel.versionHashes == worked(out: ShopModel.self))
    #expect(LibraryModel.versionHashes == worked(out: LibraryModel.self))
    #expect(LibraryModel.versionHashes.count == LibraryModel.model.entities.count)
  }

  @Test func templatesAreRequests() {
    let people: TypedQuery<Person> = Templates.peopleFR(name: "Ray")
    #expect(people.base.predicate?.description == #"name == "Ray""#)
    #expect(people.base.entity == "Person")
    let numbers = Templates.peopleWithNumbers(numbers: [1, 2])
    #expect(numbers.base.predicate?.description == "memberNumber IN {1, 2}")
    let count: CountRequest<Book> = Templates.bookCount(ids: [])
    #expect(count.request.result == .count)
    let ids: IDRequest<Book> = Templates.bookIDs(
      shelf: TypedObjectID(trusting: "x-coredata:///Shelf/p3"),
      day: Date(timeIntervalSinceReferenceDate: 5))
    #expect(ids.request.result == .objectIDs)
    let crowded = Templates.crowded(floor: 3, min: 2).base.predicate?.description
    #expect(crowded == "SUBQUERY(books, $MIN, $MIN.price > 3).@count > 2")
  }

  @Test func parentsReadTheirChildren() {
    #expect(Employee.entityNames == ["Employee", "Manager"])
    #expect(Work.entityNames == ["Book", "Work"])
    #expect(Book.propertyNames.contains("publisher.city"))
    #expect(!Book.propertyNames.contains("cachedSize"))
    let ann = Employee.ID(ObjectID(store: nil, entity: "Manager", primaryKey: 1))
    #expect(ann?.cast(to: Manager.self) != nil)
  }

  @Test func initialisersKnowTheDefaults() {
    let book = Book(printed: .init(), shelf: nil)
    #expect(book.title == #"a "title""# && book.state == .onShelf && book.priority == .known(.high))
    #expect(book.price == Decimal(string: "12.25") && book.weight == 0.1 && book.ratio == 0.1)
    #expect(book.added == Date(timeIntervalSinceReferenceDate: 0))
    #expect(book.identifier.uuidString == "58EE245C-13A5-4D1F-9D2A-5B2D6E3A2F10")
    #expect(book.publisher.year == 1900 && book.printed.year == 1900)
    #expect(book.shelfName == nil && book.propertyValues["shelfName"] == nil)
    #expect(book.propertyValues["state"] == .string("on-shelf"))
    #expect(book.propertyValues["publisher.year"] == .integer(1900))
  }

  @Test func keyPathsIntoComposites() {
    let query = Book.all.where(\.publisher.city == "Oslo" && \.state == .lent)
    #expect(query.base.predicate?.description == #"publisher.city == "Oslo" AND state == "lent""#)
  }
}

extension TypedObjectID {
  fileprivate init(trusting uri: String) {
    guard let id = ObjectID(uri: uri), let typed = Self(id) else {
      preconditionFailure("\(uri) names no \(Object.self)")
    }
    self = typed
  }
}

extension DataModel {
  /// The model without locations of predicates, which generated source doesn't contain.
  fileprivate var withoutPlaces: DataModel {
    DataModel(
      name: name, versionIdentifiers: versionIdentifiers,
      entities: entities.map { entity in
        var entity = entity
        for index in entity.fetchedProperties.indices {
          entity.fetchedProperties[index].request.forgetPlaces()
        }
        return entity
      },
      templates: templates.map { template in
        var template = template
        template.forgetPlaces()
        return template
      }, configurations: configurations, composites: composites)
  }
}

extension FetchRequestTemplate {
  fileprivate mutating func forgetPlaces() {
    predicateText?.origin = nil
    for index in faults.indices {
      faults[index].place = nil
      faults[index].excerpt = nil
    }
  }
}
