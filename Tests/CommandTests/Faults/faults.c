// Preloaded into storetool by tests: counts the calls by which a process changes files, or the SQL statements that it
// prepares to change something, or the handlers of signals that it installs, and does one of them harm. See FaultInjection.swift.
//
//   FAULT_COUNTED   "files", "statements" or "handlers"
//   FAULT_AT        the number of the call, from 1; 0 for none
//   FAULT_ACTION    "kill", "interrupt", "stop": SIGKILL, SIGINT or SIGSTOP before the call; "tear": half of a write, then
//                   SIGKILL; "full": from this call on nothing has room; "raise": a handler's signal, right behind the call
//   FAULT_TOTAL     a file that gets the number of calls at the end of the process
//
// SQLite gets a page cache so small that even a little store is written to before the commit.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;
static long harmed;
static const char *counted = "", *action = "";

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

__attribute__((constructor)) static void start(void) {
  counted = variable("FAULT_COUNTED");
  action = variable("FAULT_ACTION");
  harmed = atol(variable("FAULT_AT"));
  // Programs that storetool starts, such as Git, stay whole.
  if (strcmp(program_invocation_short_name, "storetool") != 0) counted = "";
}

__attribute__((destructor)) static void finish(void) {
  if (!*counted) return;
  FILE *file = fopen(variable("FAULT_TOTAL"), "w");
  if (!file) return;
  fprintf(file, "%ld", (long)calls);
  fclose(file);
}

static int is(const char *name) { return strcmp(action, name) == 0; }

static void die(void) {
  kill(getpid(), SIGKILL);
  pause();
}

// Counts a call; its number where it is the one to harm, or a later one on a full disk.
static long strikes(const char *kind) {
  if (strcmp(counted, kind) != 0) return 0;
  long number = ++calls;
  if (harmed == 0 || number < harmed) return 0;
  if (is("full")) return number;
  if (number > harmed) return 0;
  if (is("kill")) die();
  if (is("interrupt")) kill(getpid(), SIGINT);
  if (is("stop")) kill(getpid(), SIGSTOP);
  return number;
}

// MARK: Calls that change files

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// Half of a write has come through. Other calls are not to be halved.
#define TEAR(half) do { if (is("tear")) { half; die(); } } while (0)
#define NO_ROOM do { if (is("full")) { errno = ENOSPC; return -1; } } while (0)

// What lies in the file already may be written again.
static int grows(int file, off64_t size) {
  struct stat64 status;
  return fstat64(file, &status) != 0 || size > status.st_size;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t place) {
  if (strikes("files")) {
    TEAR(REAL(pwrite64)(file, bytes, size / 2, place));
    if (grows(file, place + (off64_t)size)) NO_ROOM;
  }
  return REAL(pwrite64)(file, bytes, size, place);
}

ssize_t write(int file, const void *bytes, size_t size) {
  if (file > STDERR_FILENO && strikes("files")) {
    TEAR(REAL(write)(file, bytes, size / 2));
    NO_ROOM;
  }
  return REAL(write)(file, bytes, size);
}

static int makes(const char *path, int flags) { return (flags & O_CREAT) && access(path, F_OK) != 0; }

#define OPEN(name)                                         \
  int name(const char *path, int flags, ...) {             \
    va_list more;                                          \
    va_start(more, flags);                                 \
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
    va_end(more);                                          \
    if (makes(path, flags) && strikes("files")) {          \
      TEAR();                                              \
      NO_ROOM;                                             \
    }                                                      \
    return REAL(name)(path, flags, mode);                  \
  }
OPEN(open)
OPEN(open64)

static int makes_in(int folder, const char *path, int flags) {
  return (flags & O_CREAT) && faccessat(folder, path, F_OK, 0) != 0;
}

#define OPENAT(name)                                       \
  int name(int folder, const char *path, int flags, ...) { \
    va_list more;                                          \
    va_start(more, flags);                                 \
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0; \
    va_end(more);                                          \
    if (makes_in(folder, path, flags) && strikes("files")) { \
      TEAR();                                              \
      NO_ROOM;                                             \
    }                                                      \
    return REAL(name)(folder, path, flags, mode);          \
  }
OPENAT(openat)
OPENAT(openat64)

int ftruncate64(int file, off64_t size) {
  if (strikes("files")) {
    TEAR();
    if (grows(file, size)) NO_ROOM;
  }
  return REAL(ftruncate64)(file, size);
}

// Each needs room, or does not.
#define CALL(name, parameters, arguments, no_room) \
  int name parameters {                            \
    if (strikes("files")) {                        \
      TEAR();                                      \
      no_room;                                     \
    }                                              \
    return REAL(name) arguments;                   \
  }
CALL(fsync, (int file), (file), )
CALL(fdatasync, (int file), (file), )
CALL(unlink, (const char *path), (path), )
CALL(rmdir, (const char *path), (path), )
CALL(rename, (const char *old, const char *new), (old, new), )
CALL(link, (const char *old, const char *new), (old, new), NO_ROOM)
CALL(mkdir, (const char *path, mode_t mode), (path, mode), NO_ROOM)

// MARK: Handlers of signals

extern void *__libc_malloc(size_t size);
static volatile sig_atomic_t handling;

// A handler that allocates memory may do so in the middle of another allocation, and ruins what malloc keeps.
void *malloc(size_t size) {
  if (handling) abort();
  return __libc_malloc(size);
}

void (*signal(int number, void (*handler)(int)))(int) {
  void (*before)(int) = REAL(signal)(number, handler);
  if (handler != SIG_DFL && handler != SIG_IGN && strikes("handlers")) {
    handling = 1;
    raise(number);
    handling = 0;
  }
  return before;
}

// MARK: Statements

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

static int begins(const char *text, const char *words) { return strncmp(text, words, strlen(words)) == 0; }

// What only asks, and what happens in memory, leaves no trace.
static void count_statement(sqlite3 *db, const char *text) {
  const char *(*name)(sqlite3 *, const char *) = dlsym(RTLD_NEXT, "sqlite3_db_filename");
  const char *path = name(db, "main");
  if (!path || !*path || begins(text, "SELECT") || begins(text, "PRAGMA") || begins(text, "BEGIN DEFERRED")) return;
  strikes("statements");
}

int sqlite3_prepare_v2(sqlite3 *db, const char *text, int size, sqlite3_stmt **made, const char **tail) {
  count_statement(db, text);
  return REAL(sqlite3_prepare_v2)(db, text, size, made, tail);
}

int sqlite3_prepare_v3(
    sqlite3 *db, const char *text, int size, unsigned flags, sqlite3_stmt **made, const char **tail) {
  count_statement(db, text);
  return REAL(sqlite3_prepare_v3)(db, text, size, flags, made, tail);
}

int sqlite3_open_v2(const char *path, sqlite3 **db, int flags, const char *vfs) {
  int code = REAL(sqlite3_open_v2)(path, db, flags, vfs);
  int (*run)(sqlite3 *, const char *, void *, void *, void *) = dlsym(RTLD_NEXT, "sqlite3_exec");
  if (code == 0) run(*db, "PRAGMA cache_size = 10", NULL, NULL, NULL);
  return code;
}
