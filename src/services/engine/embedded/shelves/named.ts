import type { SqlValue } from '../../driver.ts';
import type { Named } from '../../port/shelves.ts';
import type { Sync, Tools } from '../repository.ts';

/** How things of one kind lie in their table, `name` among the columns. */
interface Layout<T, Row> {
  readonly table: string;
  readonly columns: readonly (keyof Row & string)[];
  toValues(thing: T): readonly SqlValue[];
  fromRow(row: Row): T;
}

/** Things that are put and taken as a whole, by name. */
export const namedRepository = <T extends { readonly name: string }, Row>(
  { db }: Tools,
  { table, columns, toValues, fromRow }: Layout<T, Row>,
): Sync<Named<T>> => {
  const put = `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  return {
    put: (thing) => void db.run(put, ...toValues(thing)),
    get(name) {
      const row = db.get<Row>(`SELECT * FROM ${table} WHERE name = ?`, name);
      return row === undefined ? null : fromRow(row);
    },
    list: () => db.all<Row>(`SELECT * FROM ${table} ORDER BY name`).map(fromRow),
    remove(name) {
      const row = db.get<Row>(`DELETE FROM ${table} WHERE name = ? RETURNING *`, name);
      return row === undefined ? null : fromRow(row);
    },
    removeAll() {
      const all = db.all<Row>(`SELECT * FROM ${table} ORDER BY name`).map(fromRow);
      db.run(`DELETE FROM ${table}`);
      return all;
    },
  };
};
