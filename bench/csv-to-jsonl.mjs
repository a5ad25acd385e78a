// FA_csv_to_jsonl on 85 MB of CSV against Python's csv and json; both write to the disk and sync.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createFactotum } from '../dist/index.js';
import { DATA_FOLDER } from './data/ensure.mjs';
import { createRandom } from './data/random.mjs';
import { demandProgram, inPairs, measureHere, measureProgram, reportPairs } from './measure/pairs.mjs';

const ROWS = 1_500_000;
const ROWS_A_BLOCK = 10_000;
const CITIES = ['Rome', 'Oslo', 'Lima', 'São Paulo', 'Zürich', 'Kyōto'];

/** One row in ten has a field in quotes, with quotes, commas or a line end inside. */
const writeCsv = (path) => {
  const random = createRandom(0xc57);
  const note = (id) => (id % 10 === 0 ? `"said ""hello"", then left${id % 30 === 0 ? '\nlate' : ''}"` : `note ${random(100_000)}`);
  const row = (id) =>
    `${id},user ${random(10_000)},${CITIES[random(CITIES.length)]},${(random(1_000_000) / 100).toFixed(2)},${note(id)}\r\n`;
  const file = openSync(path, 'w');
  writeSync(file, 'id,name,city,amount,note\r\n');
  for (let start = 0; start < ROWS; start += ROWS_A_BLOCK) {
    writeSync(file, Buffer.from(Array.from({ length: ROWS_A_BLOCK }, (_, at) => row(start + at)).join('')));
  }
  closeSync(file);
};

const PEER = `
import csv, json
with open('in.csv', newline='', encoding='utf-8') as source, open('theirs', 'w', encoding='utf-8', newline='') as target:
    rows = csv.reader(source)
    header = next(rows)
    for row in rows:
        target.write(json.dumps(dict(zip(header, row)), ensure_ascii=False, separators=(',', ':')) + '\\n')
`;

const READING_ONLY = `
import csv
with open('in.csv', newline='', encoding='utf-8') as source:
    for row in csv.reader(source): pass
`;

export const run = async (report) => {
  const python = demandProgram('python3');
  mkdirSync(DATA_FOLDER, { recursive: true });
  const cwd = mkdtempSync(join(DATA_FOLDER, 'csv-'));
  const factotum = createFactotum({ cwd, log: { level: 'silent' } });
  const ours = async () => {
    const { results } = await factotum.run([['FA_csv_to_jsonl', ['in.csv', 'ours']]]);
    if (results[0].value !== ROWS) throw new Error(`${JSON.stringify(results[0])} instead of ${ROWS} records`);
  };
  const program = (script, after = '') =>
    measureProgram(['sh', '-c', `cd "$1" && "$2" -c "$3" ${after}`, 'sh', cwd, python, script], join(cwd, 'printed'));
  try {
    writeCsv(join(cwd, 'in.csv'));
    reportPairs(report, 'csv-to-jsonl/python', 0.1, await inPairs(measureHere(ours), program(PEER, '&& sync theirs')));
    if (spawnSync('cmp', ['ours', 'theirs'], { cwd }).status !== 0) throw new Error('the two answers differ');
    reportPairs(report, 'csv-to-jsonl/python-reading-only', undefined, await inPairs(measureHere(ours), program(READING_ONLY)));
  } finally {
    await factotum.close();
    rmSync(cwd, { recursive: true });
  }
};
