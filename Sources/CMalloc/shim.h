// What Swift's module of the C library leaves out: how glibc's allocator is tuned.
#ifdef __linux__
#include <malloc.h>
#endif
