// The module of macOS's SDK has the same header, but Linux has no module.
#include <zlib.h>
