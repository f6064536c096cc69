import Testing

extension SampleStore {
  /// The tables that an app creates when it enables persistent history.
  static let historyTables = """
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
      ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER,
      ZTIMESTAMP FLOAT);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0),
      (16003, 'TRANSACTIONSTRING', 0, 0);
    """

  /// Enables persistent history, as an app does.
  func keepHistory() throws {
    #expect(try rows(Self.historyTables) == [])
  }

  /// Returns changes such as `1|1|4|`, the insertion of row 4 of entity 1 in the first transaction. An update is
  /// followed by the changed properties.
  func changes() throws -> [String] {
    try rows(
      """
      SELECT ZTRANSACTIONID, ZENTITY, ZENTITYPK, ZCHANGETYPE, hex(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK
      """)
  }

  /// Returns author and context of each transaction.
  func authors() throws -> [String] {
    try rows(
      """
      SELECT (SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.ZAUTHORTS),
        (SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.ZCONTEXTNAMETS)
      FROM ATRANSACTION t ORDER BY Z_PK
      """)
  }
}
