// The current cell of a table, which is moved with the keyboard.

export class TableCursor {
  row = -1;
  column = 0;

  constructor(grid, { rows, columns, page, onMove, onOpen }) {
    Object.assign(this, { grid, rows, columns, page, onMove, onOpen });
    grid.addEventListener('keydown', (event) => this.#pressed(event));
    grid.addEventListener('focus', () => { if (this.row < 0 && rows() > 0 && grid.matches(':focus-visible')) this.move(0, this.column); });
  }

  move(row, column) {
    this.row = Math.max(0, Math.min(row, this.rows() - 1));
    this.column = Math.max(0, Math.min(column, this.columns()));
    this.onMove(this.row);
    this.grid.setAttribute('aria-activedescendant', `${this.grid.id}-cell`);
  }

  #pressed(event) {
    if (event.target !== this.grid || event.altKey || event.metaKey || !this.rows()) return;
    const far = event.ctrlKey;
    const moves = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
      PageDown: [this.page(), 0], PageUp: [-this.page(), 0],
    };
    if (event.key in moves) this.move(Math.max(this.row, 0) + moves[event.key][0], this.column + moves[event.key][1]);
    else if (event.key === 'Home') this.move(far ? 0 : this.row, far ? this.column : 0);
    else if (event.key === 'End') this.move(far ? this.rows() - 1 : this.row, far ? this.column : this.columns());
    else if (event.key === 'Enter') this.onOpen(this.row);
    else return;
    event.preventDefault();
  }
}
