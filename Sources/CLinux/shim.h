// Functions of the C library that Swift's modules Glibc and Musl leave out.
#ifdef __linux__
// How glibc's allocator is tuned.
#include <malloc.h>
#ifdef __GLIBC__
// Closes the descriptors of a child from a number on. glibc declares the function with _GNU_SOURCE, which Swift doesn't
// define. The first parameter is a posix_spawn_file_actions_t: <spawn.h> here would take its types from Swift's module.
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);
#else
// musl declares it with _GNU_SOURCE.
extern char **environ;
#endif
#endif
