#ifndef PAGE_ASSETS_H
#define PAGE_ASSETS_H

#include <stddef.h>

/// A file of the page that `storetool browse` serves.
struct page_asset {
  const char *name;
  const unsigned char *bytes;
  size_t length;
};

/// An array of all files of the page.
extern const struct page_asset *const page_assets;
extern const size_t page_asset_count;

#endif
