#include "PageAssets.h"

// The compiler puts the files of the page into the program (C23, which clang takes in older C, too).
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char address_js[] = {
#embed "page/address.js"
};
static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char parts_changes_js[] = {
#embed "page/parts/changes.js"
};
static const unsigned char parts_command_js[] = {
#embed "page/parts/command.js"
};
static const unsigned char parts_failure_js[] = {
#embed "page/parts/failure.js"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char texts_js[] = {
#embed "page/texts.js"
};

#define ASSET(name, bytes) {name, bytes, sizeof(bytes)}

static const struct page_asset table[] = {
    ASSET("address.js", address_js),
    ASSET("api.js", api_js),
    ASSET("dom.js", dom_js),
    ASSET("index.html", index_html),
    ASSET("main.js", main_js),
    ASSET("parts/changes.js", parts_changes_js),
    ASSET("parts/command.js", parts_command_js),
    ASSET("parts/failure.js", parts_failure_js),
    ASSET("style.css", style_css),
    ASSET("texts.js", texts_js),
};

const struct page_asset *const page_assets = table;
const size_t page_asset_count = sizeof(table) / sizeof(table[0]);
