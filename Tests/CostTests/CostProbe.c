// A library that counts what a process does with SQLite, with files and with memory. `CostProbe.swift` compiles it and
// loads it with LD_PRELOAD. When the process exits, the library appends one line of counts to the file in the variable
// COST_PROBE.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static _Atomic long prepared, runs, steps, scanned, sorts, automaticIndexes, pagesRead, pagesWritten, bytesRead,
    bytesWritten, syncs, allocations;

// Calls the function that this library hides.
#define HIDDEN(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int sqlite3_prepare_v3(sqlite3 *connection, const char *sql, int size, unsigned flags, sqlite3_stmt **statement,
                       const char **tail) {
  int code = HIDDEN(sqlite3_prepare_v3)(connection, sql, size, flags, statement, tail);
  if (code == SQLITE_OK && *statement) prepared++;
  return code;
}

static void collect(sqlite3_stmt *statement) {
  runs += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 1);
  steps += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
  scanned += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1);
  sorts += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_SORT, 1);
  automaticIndexes += sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_AUTOINDEX, 1);
}

int sqlite3_finalize(sqlite3_stmt *statement) {
  if (statement) collect(statement);
  return HIDDEN(sqlite3_finalize)(statement);
}

static void collectPages(sqlite3 *connection) {
  int count = 0, highest = 0;
  if (!sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_MISS, &count, &highest, 1)) pagesRead += count;
  if (!sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 1)) pagesWritten += count;
}

int sqlite3_close(sqlite3 *connection) {
  if (connection) collectPages(connection);
  return HIDDEN(sqlite3_close)(connection);
}

int sqlite3_close_v2(sqlite3 *connection) {
  if (connection) collectPages(connection);
  return HIDDEN(sqlite3_close_v2)(connection);
}

// The header of a database isn't counted. storetool reads it until the file's time can detect the next write.
static ssize_t countRead(ssize_t size) {
  if (size > 100) bytesRead += size;
  return size;
}

// SQLite only uses reads and writes with an offset. Output to pipes and other files isn't counted.
static ssize_t countWritten(ssize_t size) {
  if (size > 0) bytesWritten += size;
  return size;
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
  return countRead(HIDDEN(pread)(file, bytes, size, offset));
}

ssize_t pread64(int file, void *bytes, size_t size, off64_t offset) {
  return countRead(HIDDEN(pread64)(file, bytes, size, offset));
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return countWritten(HIDDEN(pwrite)(file, bytes, size, offset));
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  return countWritten(HIDDEN(pwrite64)(file, bytes, size, offset));
}

int fsync(int file) {
  syncs++;
  return HIDDEN(fsync)(file);
}

int fdatasync(int file) {
  syncs++;
  return HIDDEN(fdatasync)(file);
}

// glibc's other name of `malloc`. `HIDDEN` can't be used here, because `dlsym` can allocate memory.
extern void *__libc_malloc(size_t size);

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("COST_PROBE");
  if (!path) return;
  int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return;
  dprintf(file, "%ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld\n", prepared, runs, steps, scanned, sorts,
          automaticIndexes, pagesRead, pagesWritten, bytesRead, bytesWritten, syncs, allocations);
  close(file);
}
