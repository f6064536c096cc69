// macOS's SDK contains a module for zlib, but Linux doesn't.
#include <zlib.h>
