import SampleData
import StoreModel
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreLayout

/// The triggers of attributes that count rows that fulfill a condition.
@Suite struct CountingTriggerTests {
  private static let visible =
    "(picture.trashed == 0) && (picture.hidden == NO)"
  private static let usable = "(faces.hidden == NO) && (faces.visible == YES) && (faces.width != 0)"

  private func model(
    visible: String = visible, usable: String = usable, parents: [String: String] = [:],
    type: AttributeType = .integer32
  ) -> DataModel {
    func attribute(_ name: String, _ type: AttributeType, _ key: String? = nil)
      -> AttributeDescription
    {
      AttributeDescription(
        name: name, type: type, isOptional: true, userInfo: key.map { ["NSTriggerKey": $0] } ?? [:])
    }
    func relationship(
      _ name: String, _ destination: String, _ inverse: String?, many: Bool = false
    ) -> RelationshipDescription {
      RelationshipDescription(
        name: name, destination: destination, inverse: inverse,
        cardinality: many ? .toMany(ordered: false) : .toOne, isOptional: true)
    }
    return DataModel(
      name: "Album",
      entities: [
        EntityDescription(name: "Base"),
        EntityDescription(
          name: "Face", parent: parents["Face"],
          attributes: [
            attribute("hidden", .boolean), attribute("visible", .integer16, visible),
            attribute("width", .double),
          ],
          relationships: [
            relationship("person", "Person", "faces"), relationship("picture", "Picture", "faces"),
          ]),
        EntityDescription(
          name: "Person", parent: parents["Person"],
          attributes: [attribute("faceCount", type, usable)],
          relationships: [
            relationship("faces", "Face", "person", many: true),
            relationship("others", "Face", nil, many: true),
          ]),
        EntityDescription(
          name: "Picture", parent: parents["Picture"],
          attributes: [attribute("hidden", .boolean), attribute("trashed", .integer16)],
          relationships: [relationship("faces", "Face", "picture", many: true)]),
      ])
  }

  private func sql(_ name: String) -> String? {
    StoreLayout(model: model()).triggers.first { $0.name == name }?.sql.literalText
  }

  @Test func eachCountingAttributeHasSevenTriggers() {
    let layout = StoreLayout(model: model())
    #expect(
      layout.triggers.map(\.name).sorted() == [
        "ZT_ZFACE_ZVISIBLE_ZPICTURE_DELETE_DECREMENT",
        "ZT_ZFACE_ZVISIBLE_ZPICTURE_INSERT_INCREMENT",
        "ZT_ZFACE_ZVISIBLE_ZPICTURE_UPDATE_DECREMENT",
        "ZT_ZFACE_ZVISIBLE_ZPICTURE_UPDATE_INCREMENT",
        "ZT_ZFACE_ZVISIBLE_ZPICTURE_ZFACE_INSERT_INCREMENT",
        "ZT_ZFACE_ZVISIBLE_ZPICTURE_ZPICTURE_UPDATE_INCREMENT",
        "ZT_ZFACE_ZVISIBLE_ZPICTURE_ZPICTURE_UPDATE_TO_NULL",
        "ZT_ZPERSON_ZFACECOUNT_ZFACE_DELETE_DECREMENT",
        "ZT_ZPERSON_ZFACECOUNT_ZFACE_INSERT_INCREMENT",
        "ZT_ZPERSON_ZFACECOUNT_ZFACE_UPDATE_DECREMENT",
        "ZT_ZPERSON_ZFACECOUNT_ZFACE_UPDATE_INCREMENT",
        "ZT_ZPERSON_ZFACECOUNT_ZFACE_ZPERSON_INSERT_INCREMENT",
        "ZT_ZPERSON_ZFACECOUNT_ZFACE_ZPERSON_UPDATE_DECREMENT",
        "ZT_ZPERSON_ZFACECOUNT_ZFACE_ZPERSON_UPDATE_INCREMENT",
      ])
    #expect(layout.risks == [])
  }

  /// `CorpusTriggerTests` compares all texts with the texts in real stores.
  @Test func theTextIsThatOfCoreData() {
    #expect(
      sql("ZT_ZPERSON_ZFACECOUNT_ZFACE_UPDATE_DECREMENT")
        == """
        CREATE TRIGGER ZT_ZPERSON_ZFACECOUNT_ZFACE_UPDATE_DECREMENT \
        AFTER UPDATE OF ZHIDDEN, ZVISIBLE, ZWIDTH ON ZFACE FOR EACH ROW \
        WHEN (OLD.ZHIDDEN == 0 AND OLD.ZVISIBLE == 1 AND OLD.ZWIDTH != 0) \
        AND (NEW.ZHIDDEN != OLD.ZHIDDEN OR NEW.ZVISIBLE != OLD.ZVISIBLE OR NEW.ZWIDTH != OLD.ZWIDTH) \
        AND (OLD.ZPERSON == NEW.ZPERSON) BEGIN \
        UPDATE ZPERSON SET ZFACECOUNT = MAX(0,IFNULL(ZFACECOUNT,0) - 1) WHERE OLD.ZPERSON = Z_PK; \
        SELECT NSCoreDataTriggerUpdateAffectedObjectValue('ZPERSON', Z_ENT, Z_PK, 'ZFACECOUNT', ZFACECOUNT) \
        FROM ZPERSON WHERE Z_PK = NEW.ZPERSON; END
        """)
    #expect(
      sql("ZT_ZFACE_ZVISIBLE_ZPICTURE_ZPICTURE_UPDATE_INCREMENT")
        == """
        CREATE TRIGGER ZT_ZFACE_ZVISIBLE_ZPICTURE_ZPICTURE_UPDATE_INCREMENT \
        AFTER UPDATE OF ZPICTURE ON ZFACE \
        WHEN ((NEW.ZPICTURE IS NOT NULL AND OLD.ZPICTURE IS NULL) OR (NEW.ZPICTURE != OLD.ZPICTURE)) BEGIN \
        UPDATE ZFACE SET ZVISIBLE = (SELECT COUNT(Z_PK) FROM ZPICTURE WHERE Z_PK = NEW.ZPICTURE \
        AND (ZTRASHED == 0 AND ZHIDDEN == 0)) WHERE Z_PK = NEW.Z_PK; \
        SELECT NSCoreDataTriggerUpdateAffectedObjectValue('ZFACE', Z_ENT, Z_PK, 'ZVISIBLE', ZVISIBLE) \
        FROM ZFACE WHERE Z_PK = NEW.Z_PK; END
        """)
  }

  @Test(arguments: [
    "faces.width > 3", "faces.width == 'a'", "faces.hidden == NO OR faces.width == 0",
    "faces.hidden == NO AND others.hidden == NO", "hidden == NO", "faces.person.name == 1",
    "ANY faces.hidden == NO", "others.hidden == NO", "nobody.hidden == NO", "faces.nothing == 0",
    "((", "",
  ])
  func aConditionOfAnUnknownFormIsSaidToHaveNoTriggers(_ condition: String) {
    let layout = StoreLayout(model: model(usable: condition))
    #expect(!layout.triggers.contains { $0.table == "ZPERSON" })
    #expect(layout.triggers.count == 7)
    #expect(layout.risks.map { $0.prefix(20) } == ["'Person.faceCount', "])
  }

  @Test func otherEntitiesAndTypesAreSaidToHaveNoTriggers() {
    #expect(StoreLayout(model: model(parents: ["Person": "Base"])).triggers.count == 7)
    #expect(StoreLayout(model: model(parents: ["Face": "Base"])).triggers.count == 0)
    #expect(StoreLayout(model: model(parents: ["Picture": "Base"])).triggers.count == 7)
    #expect(StoreLayout(model: model(type: .double)).triggers.count == 7)
    #expect(StoreLayout(model: model(type: .double)).risks.count == 1)
  }

  /// The triggers maintain the counts that an app would display.
  @Test func countsFollowTheRows() throws {
    let layout = StoreLayout(model: model())
    let counts = try MemoryDatabase().inside { connection in
      try connection.registerTriggerFunctions()
      for statement in layout.statements { try connection.define(statement) }
      func count(_ script: String) throws -> [Int64] {
        try connection.runScript(script)
        return try connection.rows("SELECT ifnull(ZFACECOUNT, -1) FROM ZPERSON ORDER BY Z_PK")
          .compactMap { $0.first?.integer }
      }
      return [
        try count(
          """
          INSERT INTO ZPICTURE (Z_PK, ZHIDDEN, ZTRASHED) VALUES (1, 0, 0), (2, 1, 0);
          INSERT INTO ZPERSON (Z_PK) VALUES (1), (2);
          INSERT INTO ZFACE (Z_PK, ZHIDDEN, ZVISIBLE, ZWIDTH, ZPICTURE, ZPERSON)
          VALUES (1, 0, 0, 2.5, 1, 1), (2, 0, 0, 2.5, 2, 1), (3, 0, 0, 0, 1, 1), (4, 0, 0, 1, 1, NULL);
          """),
        try count("UPDATE ZPICTURE SET ZHIDDEN = 0 WHERE Z_PK = 2"),
        try count("UPDATE ZFACE SET ZPERSON = 2 WHERE Z_PK IN (1, 4)"),
        try count("UPDATE ZFACE SET ZHIDDEN = 1 WHERE Z_PK = 1"),
        try count("UPDATE ZFACE SET ZPICTURE = NULL WHERE Z_PK = 4"),
        try count("DELETE FROM ZPICTURE WHERE Z_PK = 2"),
        try count("DELETE FROM ZFACE"),
      ]
    }
    #expect(counts == [[1, 0], [2, 0], [1, 2], [1, 1], [1, 0], [0, 0], [0, 0]])
  }

  @Test func anEntityCanOmitTheIndexOfItsNumbers() {
    func indexes(_ userInfo: [String: String]) -> [String] {
      StoreLayout(
        model: DataModel(
          name: "P",
          entities: [
            EntityDescription(name: "P", userInfo: userInfo),
            EntityDescription(name: "Q", parent: "P"),
          ]
        )
      ).tables[0].indexes.map(\.name)
    }
    #expect(indexes(["_NSEntityOmitSubentityColumnIndex": "YES"]) == [])
    #expect(indexes(["_NSEntityOmitSubentityColumnIndex": "NO"]) == ["ZP_Z_ENT_INDEX"])
    #expect(indexes([:]) == ["ZP_Z_ENT_INDEX"])
  }
}
