// The names of stores: their file names, with the folders that distinguish two equal names.

/** The names of the page's stores, in their order. */
export function storeNames(stores) {
  const paths = stores.map(({ path }) => path.split('/').filter(Boolean));
  const end = (parts, length) => parts.slice(-length).join('/');
  return paths.map((own, index) => {
    const lengths = own.map((_, place) => place + 1);
    const isOnly = (length) => paths.every((other, place) => place === index || end(other, length) !== end(own, length));
    return end(own, lengths.find(isOnly) ?? own.length);
  });
}
