import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changesBetween, snapshot } from '../../test/laws/disk.ts';
import { differences } from '../../test/laws/plan.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { createPolicy, type Policy } from '../access/policy.ts';
import { FileAutomationException } from '../core/errors.ts';
import type { FilePort } from '../core/files.ts';
import { createForesight } from '../core/planning.ts';
import { type Budget, openBudget } from '../core/quota.ts';
import type { Effect } from '../core/result.ts';
import { placeAnywhere, placeInside, realPathOf } from './place.ts';
import { createPlanningFiles } from './planning.ts';
import { createRealFiles } from './real.ts';

const { signal } = new AbortController();

/** One call of a port. `ends` tells where an effect that names a path really happens. */
interface Step {
  readonly text: string;
  readonly isMark?: true;
  call(port: FilePort): Promise<unknown>;
  ends(root: string, target: string): string;
}

const followed: Step['ends'] = (_, target) => realPathOf(target, { followLinks: true });
const itself: Step['ends'] = (_, target) => realPathOf(target, { followLinks: false });
/** What is in a tree is named below its path as given, the directories made on the way to it where they really are. */
const inTree =
  (to: string): Step['ends'] =>
  (root, target) => {
    const given = join(root, to);
    const isInside = target === given || target.startsWith(`${given}/`);
    return isInside ? realPathOf(given, { followLinks: true }) + target.slice(given.length) : itself(root, target);
  };

const name = fc.constantFrom('a', 'b', 'c');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const linkTarget = fc.oneof(
  path,
  path.map((to) => `../${to}`),
  fc.constantFrom('.', '..', './a//b', '../../outside'),
);
const text = fc.constantFrom('', 'x', 'some text', 'y'.repeat(300));
const yesOrNo = fc.boolean();

const entryText = async (port: FilePort, at: string, followLinks: boolean) => {
  const entry = await port.stat(at, { followLinks });
  return entry && [entry.kind, entry.kind === 'file' ? entry.size : 0, entry.mode];
};

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(path, text, yesOrNo).map(
    ([at, content, exclusive]): Step => ({
      text: `write ${at} ${content.length} ${exclusive}`,
      call: (port) => port.write(at, Buffer.from(content), { signal, exclusive, durable: false }),
      ends: followed,
    }),
  ),
  fc.tuple(path, text).map(
    ([at, content]): Step => ({
      text: `create ${at} ${content.length}`,
      async call(port) {
        await using writer = await port.create(at, { signal, durable: false, expectedBytes: content.length });
        await writer.write(Buffer.from(content));
        await writer.commit();
      },
      ends: followed,
    }),
  ),
  fc.tuple(path, text, yesOrNo).map(
    ([at, content, isChanged]): Step => ({
      text: `edit ${at} ${content.length} ${isChanged}`,
      call: (port) =>
        port.edit(
          at,
          async (source, target) => {
            for await (const chunk of source.stream()) await target.write(chunk);
            await target.write(Buffer.from(content));
            return { value: source.entry.size, isChanged };
          },
          { signal },
        ),
      ends: followed,
    }),
  ),
  fc.tuple(path, text, yesOrNo).map(
    ([at, content, hasEnd]): Step => ({
      text: `append ${at} ${content.length} ${hasEnd}`,
      call: (port) => port.append(at, () => ({ record: Buffer.from(content), ...(hasEnd && { end: Buffer.from('x') }) }), { signal }),
      ends: followed,
    }),
  ),
  fc.tuple(path, path, yesOrNo, yesOrNo).map(
    ([from, to, exclusive, keepMetadata]): Step => ({
      text: `copy ${from} ${to} ${exclusive}`,
      call: (port) => port.copy(from, to, { signal, exclusive, keepMetadata, durable: false }),
      ends: followed,
    }),
  ),
  fc.tuple(path, path, yesOrNo).map(
    ([from, to, exclusive]): Step => ({
      text: `move ${from} ${to} ${exclusive}`,
      call: (port) => port.move(from, to, { signal, exclusive }),
      ends: itself,
    }),
  ),
  path.map((at): Step => ({ text: `remove ${at}`, call: (port) => port.remove(at), ends: itself })),
  fc.tuple(path, yesOrNo).map(
    ([at, parents]): Step => ({
      text: `makeDir ${at} ${parents}`,
      call: (port) => port.makeDir(at, { parents }),
      ends: followed,
    }),
  ),
  fc.tuple(path, linkTarget).map(
    ([at, target]): Step => ({
      text: `makeLink ${at} ${target}`,
      call: (port) => port.makeLink(at, target),
      ends: itself,
    }),
  ),
  fc.tuple(path, fc.constantFrom(0o700, 0o755)).map(
    ([at, mode]): Step => ({
      text: `setMode ${at}`,
      isMark: true,
      call: (port) => port.setMode(at, mode),
      ends: followed,
    }),
  ),
  path.map(
    (at): Step => ({
      text: `setTimes ${at}`,
      isMark: true,
      async call(port) {
        await port.setTimes(at, { mtimeMs: 1_000_000 });
        return (await port.stat(at))?.mtimeMs;
      },
      ends: followed,
    }),
  ),
  fc.tuple(path, path, yesOrNo).map(
    ([from, to, keepMetadata]): Step => ({
      text: `copyTree ${from} ${to} ${keepMetadata}`,
      call: (port) => port.copyTree(from, to, { signal, keepMetadata }),
      ends: inTree(to),
    }),
  ),
  path.map((at): Step => ({ text: `removeTree ${at}`, call: (port) => port.removeTree(at, { signal }), ends: itself })),
  path.map((at): Step => ({ text: `read ${at}`, call: async (port) => (await port.read(at)).toString(), ends: followed })),
  path.map((at): Step => ({ text: `list ${at}`, call: async (port) => port.list(at), ends: followed })),
  path.map((at): Step => ({ text: `readLink ${at}`, call: async (port) => port.readLink(at), ends: followed })),
  fc
    .tuple(path, yesOrNo)
    .map(([at, follow]): Step => ({ text: `stat ${at}`, call: (port) => entryText(port, at, follow), ends: followed })),
);

/** What a call gave, or the type of its error. */
const outcomeOf = async (step: Step, port: FilePort): Promise<unknown> => {
  try {
    return { value: await step.call(port) };
  } catch (fault) {
    if (fault instanceof FileAutomationException) return { error: fault.type };
    throw fault;
  }
};

/** Everything that a port shows below a directory. */
const shownBy = async (port: FilePort, root: string) => {
  const shown: unknown[] = [];
  for await (const { relative: at, path: whole, kind } of port.walk(root, { signal })) {
    const mode = (await port.stat(whole, { followLinks: false }))?.mode;
    const content = kind === 'file' ? (await port.read(whole)).toString() : kind === 'link' ? await port.readLink(whole) : '';
    shown.push([at, kind, content, mode]);
  }
  return shown;
};

type Start = readonly (readonly ['file' | 'dir' | 'link', string, string])[];

const start: fc.Arbitrary<Start> = fc.array(fc.tuple(fc.constantFrom('file', 'file', 'dir', 'link'), path, fc.oneof(path, linkTarget)), {
  maxLength: 8,
});

/** Builds what fits; what does not is left out. */
const build = (root: string, entries: Start): void => {
  for (const [kind, at, content] of entries) {
    try {
      mkdirSync(join(root, dirname(at)), { recursive: true });
      if (kind === 'dir') mkdirSync(join(root, at));
      else if (kind === 'link') symlinkSync(content, join(root, at));
      else writeFileSync(join(root, at), content, { flag: 'wx' });
    } catch {
      // something is in the way
    }
  }
};

interface Ports {
  readonly policy: Policy | undefined;
  budget(): Budget | undefined;
}

const openReal = (cwd: string, { policy, budget }: Ports) =>
  createRealFiles({ cwd, policy, budget: budget(), place: policy === undefined ? placeAnywhere : placeInside(policy) });

const check = async (entries: Start, list: readonly Step[], portsFor: (root: string) => Ports) => {
  // Deep enough that no link of the generator leads out of the temporary directory.
  using outer = tempDir({ 'x/outside/f': 'not yours' });
  const root = outer.at('x/y/root');
  mkdirSync(join(root, 'a'), { recursive: true });
  const ports = portsFor(root);
  build(root, entries);
  const foresight = createForesight();
  const planning = createPlanningFiles({
    real: openReal(root, ports),
    foresight,
    policy: ports.policy,
    budget: ports.budget(),
    now: Date.now,
  });

  const untouched = snapshot(outer.path);
  const planned: { readonly outcome: unknown; readonly effects: readonly Effect[] }[] = [];
  for (const step of list) {
    const end = foresight.begin();
    const outcome = await outcomeOf(step, planning);
    planned.push({ outcome, effects: end() });
  }
  const foretold = await shownBy(
    createPlanningFiles({
      real: openReal(root, { ...ports, policy: undefined }),
      foresight,
      policy: undefined,
      budget: undefined,
      now: Date.now,
    }),
    root,
  );
  expect(snapshot(outer.path)).toEqual(untouched);

  const real = openReal(root, ports);
  for (const [index, step] of list.entries()) {
    const before = snapshot(outer.path);
    const effects = planned[index]?.effects ?? [];
    const ends = new Map(effects.map(({ target }) => [target, relative(outer.path, step.ends(root, target))]));
    const outcome = await outcomeOf(step, real);
    expect(outcome, step.text).toEqual(planned[index]?.outcome);
    if (step.isMark || isFailure(outcome)) continue;
    const changes = new Map(
      effects.flatMap(({ kind, target }) =>
        kind === 'create' || kind === 'overwrite' || kind === 'delete' ? [[ends.get(target) ?? '', kind] as const] : [],
      ),
    );
    expect(differences({ changes, outside: [], isComplete: true }, changesBetween(before, snapshot(outer.path))), step.text).toEqual([]);
  }
  expect(await shownBy(openReal(root, { ...ports, policy: undefined }), root)).toEqual(foretold);
  if (ports.policy !== undefined) expect(outer.read('x/outside/f')).toBe('not yours');
};

const isFailure = (outcome: unknown): boolean => typeof outcome === 'object' && outcome !== null && 'error' in outcome;

const property = (portsFor: (root: string) => Ports) =>
  fc.asyncProperty(start, fc.array(steps, { minLength: 1, maxLength: 8 }), (entries, list) => check(entries, list, portsFor));

const RUNS = { numRuns: Number(process.env.FACTOTUM_PROPERTY_RUNS ?? 120) };

describe('what a dry run foretells is what happens', () => {
  // What these properties have found, kept.
  test.each([
    { seed: -1_106_854_443, path: '0', numRuns: 120 },
    { seed: 504_663_407, path: '73', numRuns: 1 },
    { seed: -1_875_273_163, path: '704', numRuns: 1 },
  ])('for the lists of $seed from $path on', { timeout: 300_000 }, async (replayed) => {
    await fc.assert(
      property((root) => ({ policy: createPolicy({ readWrite: [root], readOnly: [join(root, 'b')] }), budget: () => undefined })),
      replayed,
    );
    await fc.assert(
      property(() => ({ policy: undefined, budget: () => undefined })),
      replayed,
    );
  });

  test('for the owner', { timeout: 300_000 }, () =>
    fc.assert(
      property(() => ({ policy: undefined, budget: () => undefined })),
      RUNS,
    ),
  );

  test('for a caller with a policy', { timeout: 300_000 }, () =>
    fc.assert(
      property((root) => ({ policy: createPolicy({ readWrite: [root], readOnly: [join(root, 'b')] }), budget: () => undefined })),
      RUNS,
    ),
  );

  test('for a caller with a root inside', { timeout: 300_000 }, () =>
    fc.assert(
      property((root) => ({
        policy: createPolicy({ readWrite: [join(root, 'a')], readOnly: [join(root, 'a/b')] }),
        budget: () => undefined,
      })),
      RUNS,
    ),
  );

  test('with a budget', { timeout: 300_000 }, () =>
    fc.assert(
      property(() => ({ policy: undefined, budget: () => openBudget(310, undefined) })),
      RUNS,
    ),
  );
});
