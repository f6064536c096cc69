// libmd: SHA-256 and SHA-512, as BSD's libc has them.
#include <sha2.h>
