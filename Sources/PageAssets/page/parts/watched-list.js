// The list that the change records of `fetch --watch` describe (docs/cli.md, "--watch").

/**
 * Sections of rows. The records before a `list` record are one moment, and are applied together.
 *
 * Positions in `from` are those before all changes of the moment, positions in `to` are those after all changes.
 */
export class WatchedList {
  /** [{name, rows: [{id, row}]}]. A section remains the same object until it is removed. */
  sections = [];
  #moment = [];

  /** Adds a record. Returns the object IDs {inserted, updated, moved, deleted} at the end of a moment, otherwise undefined. */
  add(record) {
    if (record.change !== 'list') {
      this.#moment.push(record);
      return undefined;
    }
    const records = this.#moment;
    this.#moment = [];
    return this.#apply(records);
  }

  #apply(records) {
    const of = (kind) => records.filter((record) => record.change === kind);
    const changed = {
      inserted: new Set(of('insert').map((one) => one.objectID)),
      updated: new Set([...of('update'), ...of('move').filter((one) => one.updated)].map((one) => one.objectID)),
      moved: new Set(of('move').map((one) => one.objectID)),
      deleted: new Set(of('delete').map((one) => one.objectID)),
    };
    this.#takeOut([...of('delete'), ...of('move')], new Set(of('delete-section').map((one) => one.section)));
    for (const { section, name } of of('insert-section').sort((a, b) => a.section - b.section)) {
      this.sections.splice(section, 0, { name, rows: [] });
    }
    // Without --sections, the list has one section, which isn't announced by a record.
    if (!this.sections.length && records.some((record) => record.to)) this.sections.push({ name: undefined, rows: [] });
    this.#putIn([...of('insert'), ...of('move')]);
    for (const { to: [section, place], objectID, row } of of('update')) this.sections[section].rows[place] = { id: objectID, row };
    return changed;
  }

  #takeOut(records, goneSections) {
    const gone = new Map();
    for (const { from: [section, place] } of records) {
      if (!gone.has(section)) gone.set(section, new Set());
      gone.get(section).add(place);
    }
    for (const [index, places] of gone) this.sections[index].rows = this.sections[index].rows.filter((_, place) => !places.has(place));
    this.sections = this.sections.filter((_, index) => !goneSections.has(index));
  }

  /** Inserts rows in one pass for each section, because the first moment inserts all rows. */
  #putIn(records) {
    const arriving = new Map();
    for (const { to: [section, place], objectID, row } of records) {
      if (!arriving.has(section)) arriving.set(section, new Map());
      arriving.get(section).set(place, { id: objectID, row });
    }
    for (const [index, rows] of arriving) {
      const stayed = this.sections[index].rows;
      const merged = [];
      let next = 0;
      while (merged.length < stayed.length + rows.size) {
        const row = rows.get(merged.length) ?? stayed[next++];
        if (row === undefined) break;
        merged.push(row);
      }
      this.sections[index].rows = merged;
    }
  }
}
