// Functions of the C library that Swift's modules Glibc and Musl don't contain.
#ifdef __linux__
// mallopt, which configures glibc's allocator.
#include <malloc.h>
#ifdef __GLIBC__
// Closes all descriptors of a child process from `first` on. glibc declares the function only with _GNU_SOURCE, which
// Swift doesn't define. `actions` is a posix_spawn_file_actions_t. It isn't declared as such, because <spawn.h> would
// import its types from Swift's module Glibc.
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);
#else
// musl declares this variable only with _GNU_SOURCE.
extern char **environ;
#endif
#endif
