// Tables that call somebody, as the sound of the wall takes them.

/** By so much it is known more exactly, later, since when a table has needed the same. */
const SAME_MS = 2000;

/** Tells trouble that is new from trouble that is known more exactly by now. */
export class Calling {
  /**
   * Since when each table has what it needs: as it was said first, and last.
   *
   * @type {Map<string, { first: number, last: number }>}
   */
  #known = new Map();

  /**
   * These tables call somebody now. A need is new where the table, what it needs or its beginning
   * is; a beginning moves a little while the pit learns how far the table's clock is off.
   *
   * @param {Pit.WallPlace[]} urgent
   */
  heardAs(urgent) {
    const before = this.#known;
    this.#known = new Map();
    return urgent.map(({ need, table, since_ms: since }) => {
      const name = `${need} ${table}`;
      const last = since ?? 0;
      const known = before.get(name);
      const first = known && Math.abs(last - known.last) < SAME_MS ? known.first : last;
      this.#known.set(name, { first, last });
      return { trouble: need, about: table, since_ms: first, level: 1, heard: false };
    });
  }
}
