// Debian's libxml2 is built with ICU, so its headers include the system's ICU. Foundation contains its own ICU with
// different enums, and the compiler rejects a module that imports both. Without ICU, only the type of encoding handlers
// differs, which storetool doesn't use.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/parserInternals.h>
