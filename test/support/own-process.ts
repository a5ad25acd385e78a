import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What only a file does that changes its process or measures it: modules are replaced, clocks turned, variables set, users changed, processor
 * time and memory counted, V8 asked. All others take turns in one process, which saves each of them its start and the loading of what it tests.
 */
const ABOUT_ITS_PROCESS =
  /\bvi\.|\bprocess\.(?!cwd\b|execPath|execArgv|platform|arch|version|get[eu]|pid\b|nextTick)|\bglobalThis\b|\bcpu(?:Growth|Ms)\b|\basOrdinaryUser\b|\/proc\/self|'node:v8'/;

/** Test files below a folder that need no process of their own; new ones are found by what they say. */
export const filesThatShare = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter((file) => !ABOUT_ITS_PROCESS.test(readFileSync(file, 'utf8')));
