// SHA-256 and SHA-512 of libmd, with the interface of BSD's libc.
#include <sha2.h>
