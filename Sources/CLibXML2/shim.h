// Debian's libxml2 is built with ICU, and its headers would bring in the system's. Foundation has an
// ICU of its own whose enums differ, and a compiler that meets both in one module refuses them.
// We use no encoding handler, the only type that it concerns.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/parserInternals.h>
