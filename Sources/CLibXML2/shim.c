// Xcode expects an object file from each target of C, so the target has this source.
#include "shim.h"
