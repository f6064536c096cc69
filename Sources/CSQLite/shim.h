#include <sqlite3.h>

// Makes SQLite reject a name in double quotes that isn't a column. By default, SQLite treats it as text, so a query of
// a missing column would return the column's name. Swift can't call sqlite3_db_config, because it is variadic.
static inline int csqlite_refuse_text_in_double_quotes(sqlite3 *database) {
  int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
  return code == SQLITE_OK ? sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0) : code;
}
