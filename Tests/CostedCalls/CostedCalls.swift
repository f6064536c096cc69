import Foundation
import StoreEngine
import StoreModel

/// Opens a store of Company, makes one call, and closes the store. `CostLedgerTests` counts what the process does.
///
///     CostedCalls CALL STORE
///
/// Without arguments, it prints the names of all calls. The call `create with history` creates the store instead.
@main
struct CostedCalls {
  typealias Call = @Sendable (PersistentStore, Department.ID) async throws -> Void

  static let calls: KeyValuePairs<String, Call> = [
    "open and close": { _, _ in },
    "fetch all": { store, _ in _ = try await store.fetch(Employee.all) },
    "fetch a page": { store, _ in
      _ = try await store.fetch(Employee.all.ordered(by: .descending(\.age)).limit(10).offset(100))
    },
    "first": { store, _ in _ = try await store.first(Employee.all.where(\.age > 40)) },
    "count": { store, _ in _ = try await store.fetch(Employee.all.where(\.age > 40).count) },
    "select": { store, _ in _ = try await store.fetch(Employee.all.select(\.name, \.age)) },
    "group": { store, _ in
      _ = try await store.fetch(Employee.all.grouped(by: \.age).select(\.age, \.salary.sum))
    },
    "a to-one in a condition": { store, _ in
      _ = try await store.fetch(Employee.all.where(\.department.name == "Sales"))
    },
    "a to-many in a condition": { store, _ in
      _ = try await store.fetch(Department.all.where(\.employees.any.age > 60))
    },
    "include a to-one": { store, _ in
      _ = try await store.fetch(Employee.all.including(\.department))
    },
    "include a to-many": { store, _ in
      _ = try await store.fetch(Department.all.including(\.employees))
    },
    "members": { store, department in _ = try await store.fetch(department.members(of: \.employees))
    },
    "a template": { store, _ in
      _ = try await store.fetch(Templates.employeesInDepartment(department: "Sales"))
    },
    "stream": { store, _ in
      for try await _ in store.stream(Employee.all, batchSize: 100) {}
    },
    "three reads of one state": { store, department in
      try await store.read { snapshot in
        _ = try snapshot.fetch(Employee.all.count)
        _ = try snapshot.fetch(Department.all)
        _ = try snapshot.object(department)
      }
    },
    "object, ten times": { store, department in
      for _ in 0..<10 { _ = try await store.object(department) }
    },
    "create": { store, department in
      try await store.create(Employee(age: 30, name: "New", department: department))
    },
    "create, ten times": { store, department in
      for _ in 0..<10 {
        try await store.create(Employee(age: 30, name: "New", department: department))
      }
    },
    "create ten in a transaction": { store, department in
      try await store.transaction { transaction in
        for _ in 0..<10 {
          try transaction.create(Employee(age: 30, name: "New", department: department))
        }
      }
    },
    "update, ten times": { store, department in
      for floor in 0..<10 { try await store.update(department) { $0.floor = Int16(floor) } }
    },
    "create and delete, ten times": { store, _ in
      for _ in 0..<10 { try await store.delete(store.create(Employee(name: "New"))) }
    },
    "add ten members": { store, department in
      let employees = try await store.fetch(Employee.all.where(\.department == nil).limit(10).ids)
      try await store.add(employees, to: \.employees, of: department)
    },
    "insert 1,000": { store, department in
      _ = try await store.batchInsert(
        (0..<1_000).lazy.map { Employee(age: 30, name: "New \($0)", department: department) })
    },
    "update a batch": { store, _ in
      _ = try await store.batchUpdate(Employee.self) { $0.set(\.age, to: \.age + 1) }
        .where(\.age < 50)
    },
    "delete a batch": { store, _ in
      _ = try await store.batchDelete(Employee.self).where(\.age > 60)
    },
  ]

  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "create with history" {
      try await PersistentStore.create(
        arguments[2], for: CompanyModel.model, settings: NewStoreSettings(tracksHistory: true))
      return
    }
    guard arguments.count == 3, let call = calls.first(where: { $0.key == arguments[1] })?.value
    else {
      for (name, _) in calls { print(name) }
      return
    }
    let store = try await PersistentStore.open(arguments[2], schema: CompanyModel.self)
    try await call(store, Department.ID(primaryKey: 1))
    try await store.close()
  }
}
