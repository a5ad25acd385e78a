import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Outcome } from '../../src/core/result.ts';

type Content = string | { readonly base64: string };

/** A recorded case: what stood there, what was asked, what came back and what was left. */
export interface RecordedCase {
  readonly id: string;
  readonly why: string;
  readonly setup?: {
    readonly files?: Readonly<Record<string, Content>>;
    readonly dirs?: readonly string[];
    readonly symlinks?: Readonly<Record<string, string>>;
    readonly mtimes?: Readonly<Record<string, number>>;
  };
  readonly actions?: readonly unknown[];
  readonly nodes?: readonly unknown[];
  readonly options?: Readonly<Record<string, unknown>>;
  readonly expect: {
    readonly http_status?: number;
    readonly results?: readonly ExpectedOutcome[];
    readonly files?: Readonly<Record<string, Content | { readonly dir: true } | null>>;
  };
  readonly compare?: { readonly value?: string | readonly (string | null)[] };
}

interface ExpectedOutcome {
  readonly id?: string;
  readonly status: string;
  readonly value?: unknown;
  readonly error_type?: string | readonly string[];
}

/** What a door answers: the status of HTTP and the body. */
export type Send = (body: unknown) => Promise<{ readonly status: number; readonly body: unknown }>;

const FOLDER = fileURLToPath(new URL('../fixtures/differential', import.meta.url));

/** The recorded cases, family by family. */
export const recordedFamilies = (): { readonly family: string; readonly cases: readonly RecordedCase[] }[] =>
  readdirSync(FOLDER)
    .sort()
    .map((file) => ({ family: file.replace(/^cases-(.*)\.json$/, '$1'), cases: JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) }));

/** Replays one case in a fresh directory and expects the recorded answer and files. */
export const replay = async (recorded: RecordedCase, send: Send): Promise<void> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-case-')));
  try {
    prepare(root, recorded.setup ?? {});
    const list = inRoot(recorded.nodes ?? recorded.actions, root);
    const body = recorded.nodes ? { nodes: list, ...recorded.options } : recorded.options ? { actions: list, ...recorded.options } : list;
    const answer = await send(body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(recorded.expect.http_status ?? 200);
    const { results } = answer.body as { results?: readonly Outcome[] };
    if (recorded.expect.results !== undefined) {
      expect(results).toHaveLength(recorded.expect.results.length);
      for (const [at, want] of recorded.expect.results.entries()) expectOutcome(results?.[at], want, modeOf(recorded, at), root);
    }
    for (const [name, want] of Object.entries(recorded.expect.files ?? {})) expectFile(root, name, want);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

const modeOf = ({ compare }: RecordedCase, at: number): string => {
  const modes = compare?.value ?? 'exact';
  return (typeof modes === 'string' ? modes : modes[at]) ?? 'exact';
};

const prepare = (root: string, { files = {}, dirs = [], symlinks = {}, mtimes = {} }: NonNullable<RecordedCase['setup']>) => {
  for (const name of dirs) mkdirSync(join(root, name), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), bytesOf(content, root));
  }
  for (const [name, target] of Object.entries(symlinks)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(target.replaceAll('{{root}}', root), join(root, name));
  }
  for (const [name, seconds] of Object.entries(mtimes)) utimesSync(join(root, name), seconds, seconds);
};

const bytesOf = (content: Content, root: string): Buffer =>
  typeof content === 'string' ? Buffer.from(content.replaceAll('{{root}}', root)) : Buffer.from(content.base64, 'base64');

/** Rewrites every text of a value, keys too. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]));
};
const inRoot = (value: unknown, root: string) => mapTexts(value, (text) => text.replaceAll('{{root}}', root));
const outOfRoot = (value: unknown, root: string) => mapTexts(value, (text) => text.replaceAll(root, '{{root}}'));

const expectOutcome = (got: Outcome | undefined, want: ExpectedOutcome, mode: string, root: string) => {
  expect(got?.status, JSON.stringify(got)).toBe(want.status);
  if (want.id !== undefined) expect(got?.id).toBe(want.id);
  if (want.error_type !== undefined) expect([want.error_type].flat()).toContain(got?.error?.type);
  if (want.status === 'failed') expect(got?.error?.type).toBeTypeOf('string');
  if (want.status === 'ok') expectValue(outOfRoot(got?.value, root), want.value, mode);
};

const expectValue = (got: unknown, want: unknown, mode: string) => {
  const [kind = '', rest = ''] = mode.split(/:(.*)/s);
  switch (kind) {
    case 'ignore':
      return;
    case 'present':
      return expect(got ?? undefined).toBeDefined();
    case 'match':
      return expect(got).toMatch(new RegExp(rest));
    case 'keys-present':
      return expect(Object.keys(got as object)).toEqual(expect.arrayContaining(rest.split(',')));
    case 'keys':
      return expect(pick(got, rest.split(','))).toEqual(pick(want, rest.split(',')));
    case 'unordered':
      return expect(sorted(got)).toEqual(sorted(want));
    default:
      return expect(got).toEqual(want);
  }
};

const pick = (value: unknown, keys: readonly string[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => pick(item, keys));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
};

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sorted(item)]));
};

const expectFile = (root: string, name: string, want: Content | { readonly dir: true } | null) => {
  const stats = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (want === null) return expect(stats, `${name} should be gone`).toBeUndefined();
  expect(stats, `${name} should be there`).toBeDefined();
  if (typeof want === 'object' && 'dir' in want) return expect(stats?.isDirectory()).toBe(true);
  return expect(readFileSync(join(root, name)).toString('latin1')).toBe(bytesOf(want, root).toString('latin1'));
};
