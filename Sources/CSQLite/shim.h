#include <sqlite3.h>

// Makes a name in double quotes that is not a column an error. SQLite would else take it for text, so that a query of a
// column that a store lacks would answer with the column's name. Swift can't call sqlite3_db_config itself, which takes
// any number of arguments.
static inline int csqlite_refuse_text_in_double_quotes(sqlite3 *database) {
  int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
  return code == SQLITE_OK ? sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0) : code;
}
