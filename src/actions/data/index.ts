// Structured data: JSON and YAML edited in place, CSV, JSON Lines and Parquet read, filtered and converted. The formats themselves are in
// lib/data/; here is what files have to do with it. Read json.ts and document.ts first.
import { defineFamily } from '../../core/action.ts';
import { csvFilter } from './csv-filter.ts';
import { csvToJsonl } from './csv-to-jsonl.ts';
import { csvToParquet } from './csv-to-parquet.ts';
import { jsonDelete, jsonGet, jsonSet } from './json.ts';
import { jsonlAppend, jsonlIter } from './jsonl.ts';
import { parquetRead, parquetWrite } from './parquet.ts';
import { yamlDelete, yamlGet, yamlSet } from './yaml.ts';

export const data = defineFamily({
  name: 'data',
  group: 'data',
  summary: 'Structured data: edit JSON and YAML, read and convert CSV, JSON Lines and Parquet.',
  isApart: true,
  actions: [
    jsonGet,
    jsonSet,
    jsonDelete,
    csvFilter,
    csvToJsonl,
    jsonlIter,
    jsonlAppend,
    yamlGet,
    yamlSet,
    yamlDelete,
    parquetRead,
    parquetWrite,
    csvToParquet,
  ],
});
