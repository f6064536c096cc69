// The address of a view: #/STORE/view/name?key=value. The address contains the whole state of a view.

/** @returns {{store: number, view: string, name: string, values: URLSearchParams}} */
export function read(hash = location.hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [store, view, ...name] = path.split('/');
  return {
    store: Number.parseInt(store, 10) || 0,
    view: view || 'entities',
    name: name.map(decode).join('/'),
    values: new URLSearchParams(query),
  };
}

/** The address of a view, such as write({store: 0, view: 'rows', name: 'Item', values: {where: 'done == true'}}). Empty values are omitted. */
export function write({ store = 0, view, name = '', values = {} }) {
  const query = new URLSearchParams();
  for (const [key, value] of values instanceof URLSearchParams ? values : Object.entries(values)) {
    if (value !== '' && value != null) query.append(key, value);
  }
  const end = query.size ? `?${query}` : '';
  return `#/${store}/${view}${name ? `/${name.split('/').map(encodeURIComponent).join('/')}` : ''}${end}`;
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
