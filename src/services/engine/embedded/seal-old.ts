import type { Tools } from './repository.ts';
import { transaction } from './transaction.ts';

/** Whether all lists of a store that must be are sealed. */
const isAllSealed = ({ db }: Pick<Tools, 'db'>): boolean => db.get("SELECT 1 FROM meta WHERE name = 'sealed'") !== undefined;

/** Seals what was written before lists were sealed; done once for a store. Answers whether there was anything. */
export const sealOld = (tools: Pick<Tools, 'db' | 'seal'>): boolean =>
  !isAllSealed(tools) && transaction(tools.db, () => !isAllSealed(tools) && sealAll(tools)); // again, now that nobody else can do it

const sealAll = ({ db, seal: { seal } }: Pick<Tools, 'db' | 'seal'>): boolean => {
  let count = 0;
  for (const table of ['schedule', 'watcher'])
    for (const { name, body, options } of db.all<{ name: string; body: string; options: string }>(
      `SELECT name, body, options FROM ${table}`,
    ))
      count += db.run(`UPDATE ${table} SET body = ?, options = ? WHERE name = ?`, seal(body), seal(options), name);
  for (const { seq, body } of db.all<{ seq: number; body: string }>('SELECT seq, request.body AS body FROM kept JOIN request USING (seq)'))
    count += db.run('UPDATE request SET body = ? WHERE seq = ?', seal(body), seq);
  db.run("INSERT INTO meta (name, value) VALUES ('sealed', '1')");
  return count > 0;
};
