import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openYaml } from './document.ts';

// Documents with anchors, some of the same name, aliases and merges, as trees whose aliases know what they stand for. An edit may only
// change the value at its path, and what aliases stand for along with it; where the text would say something else it is refused.

type Tree = (
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'alias'; readonly to: Tree; readonly name: string }
  | { readonly kind: 'list'; readonly items: Tree[] }
  | { readonly kind: 'map'; readonly members: [key: string, value: Tree][] }
) & { readonly anchor?: string };

const names = fc.constantFrom('x', 'y');
interface Draft {
  readonly kind: 'scalar' | 'alias' | 'list' | 'map';
  readonly anchor: string | null;
  readonly name: string;
  readonly value: number;
  readonly inner: readonly Draft[];
  readonly merges: boolean;
}
const draft: (depth: number) => fc.Arbitrary<Draft> = (depth) =>
  fc.record({
    kind: depth > 1 ? fc.constantFrom('scalar', 'alias', 'list', 'map') : fc.constantFrom('scalar', 'alias'),
    anchor: fc.option(names),
    name: names,
    value: fc.nat(99),
    inner: depth > 1 ? fc.array(draft(depth - 1), { maxLength: 4 }) : fc.constant([]),
    merges: fc.boolean(),
  });

/** Builds the tree in the order of the text; an alias to nothing, or to what it stands in, becomes a number. */
const build = (each: Draft, seen: Map<string, Tree>, open: Set<Tree>): Tree => {
  const anchor = each.anchor === null ? {} : { anchor: each.anchor };
  const bear = <T extends Tree>(tree: T): T => {
    if (tree.anchor !== undefined) seen.set(tree.anchor, tree);
    return tree;
  };
  const target = seen.get(each.name);
  if (each.kind === 'alias' && target !== undefined && !open.has(target)) return { kind: 'alias', to: target, name: each.name };
  if (each.kind !== 'list' && each.kind !== 'map') return bear({ kind: 'scalar', value: each.value, ...anchor });
  if (each.kind === 'list') {
    const list = bear({ kind: 'list', items: [] as Tree[], ...anchor });
    open.add(list);
    for (const inner of each.inner) list.items.push(build(inner, seen, open));
    open.delete(list);
    return list;
  }
  const map = bear({ kind: 'map', members: [] as [string, Tree][], ...anchor });
  open.add(map);
  const merged = seen.get(each.name); // not itself, which may bear that name
  if (each.merges && merged?.kind === 'map' && !open.has(merged)) map.members.push(['<<', { kind: 'alias', to: merged, name: each.name }]);
  for (const [index, inner] of each.inner.entries()) map.members.push([`k${index}`, build(inner, seen, open)]);
  open.delete(map);
  return map;
};

const childrenOf = (tree: Tree): readonly Tree[] =>
  tree.kind === 'list' ? tree.items : tree.kind === 'map' ? tree.members.map(([, value]) => value) : [];

const flow = (tree: Tree): string => {
  const anchor = tree.anchor === undefined ? '' : `&${tree.anchor} `;
  if (tree.kind === 'scalar') return `${anchor}${tree.value}`;
  if (tree.kind === 'alias') return `*${tree.name} `;
  if (tree.kind === 'list') return `${anchor}[${tree.items.map(flow).join(', ')}]`;
  return `${anchor}{${tree.members.map(([key, value]) => `${key}: ${flow(value)}`).join(', ')}}`;
};

const block = (tree: Tree & { readonly kind: 'map' }): string =>
  tree.members
    .map(([key, value]) =>
      value.kind === 'map' && value.members.length > 0
        ? `${key}:${value.anchor === undefined ? '' : ` &${value.anchor}`}\n${block(value).replace(/^/gm, '  ').trimEnd()}\n`
        : `${key}: ${flow(value)}\n`,
    )
    .join('');

const means = (tree: Tree): unknown => {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'alias') return means(tree.to);
  if (tree.kind === 'list') return tree.items.map(means);
  const merged = tree.members.filter(([key]) => key === '<<').map(([, value]) => means(value));
  return Object.assign(
    {},
    ...merged,
    Object.fromEntries(tree.members.filter(([key]) => key !== '<<').map(([key, value]) => [key, means(value)])),
  );
};

/** Whether every alias that is left would be read as what it stands for. */
const staysBound = (root: Tree): boolean => {
  const seen = new Map<string, Tree>();
  const visit = (tree: Tree): boolean => {
    if (tree.kind === 'alias') return seen.get(tree.name) === tree.to;
    if (tree.anchor !== undefined) seen.set(tree.anchor, tree);
    return childrenOf(tree).every(visit);
  };
  return visit(root);
};

const pathsOf = (tree: Tree, at: readonly string[] = []): (readonly string[])[] => {
  if (tree.kind === 'list') return tree.items.flatMap((item, index) => [[...at, String(index)], ...pathsOf(item, [...at, String(index)])]);
  if (tree.kind !== 'map') return [];
  return tree.members.flatMap(([key, value]) => (key === '<<' ? [] : [[...at, key], ...pathsOf(value, [...at, key])]));
};

/** Changes the tree in place: aliases go on knowing what they stand for. */
const edit = (root: Tree, path: readonly string[], value: number | undefined): void => {
  const [last = '', ...above] = [...path].reverse();
  const holder = above.reverse().reduce<Tree | undefined>((tree, key) => {
    if (tree?.kind === 'list') return tree.items[Number(key)];
    return tree?.kind === 'map' ? tree.members.find(([name]) => name === key)?.[1] : undefined;
  }, root);
  const made: Tree[] = value === undefined ? [] : [{ kind: 'scalar', value }];
  if (holder?.kind === 'list') holder.items.splice(Number(last), 1, ...made);
  if (holder?.kind === 'map') {
    const index = holder.members.findIndex(([name]) => name === last);
    holder.members.splice(index, 1, ...made.map((each) => [last, each] as [string, Tree]));
  }
};

test('an edit changes the value at its path, or is refused where an alias would come to stand for something else', async () => {
  let refused = 0;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(draft(3), { minLength: 2, maxLength: 6 }),
      fc.nat(),
      fc.boolean(),
      fc.boolean(),
      async (drafts, pick, isRemoval, isFlow) => {
        const whole: Draft = { kind: 'map', anchor: null, name: 'x', value: 0, inner: drafts, merges: false };
        const root = build(whole, new Map(), new Set());
        if (root.kind !== 'map') throw new Error('a map was built');
        const text = isFlow ? `${flow(root)}\n` : block(root);
        const opened = await openYaml(Buffer.from(text), { name: 'd', makeError: (message) => new Error(message) });
        expect(opened.get('').value).toEqual(means(root));
        expect(parse(text, { merge: true })).toEqual(means(root));
        const paths = pathsOf(root);
        const path = paths[pick % paths.length] ?? [];
        edit(root, path, isRemoval ? undefined : 1_000);
        const keyPath = path.join('.');
        const change = async () => (isRemoval ? opened.remove(keyPath) : opened.set(keyPath, 1_000));
        if (!staysBound(root)) {
          refused += 1;
          await expect(change()).rejects.toThrow('refers to that value by an alias');
          return;
        }
        done += 1;
        const after = (await change()) ?? text;
        expect((await openYaml(Buffer.from(after), { name: 'd', makeError: (message) => new Error(message) })).get('').value).toEqual(
          means(root),
        );
      },
    ),
    { numRuns: 1_500 },
  );
  expect(Math.min(refused, done)).toBeGreaterThan(2);
});

test.each([
  ['c', 'replacing what bears the name of an anchor before it'],
  ['e', 'replacing what holds such an anchor'],
])('%s: %s is refused', async (keyPath) => {
  const text = 'a: &n 1\nb: *n\nc: &n 2\nd: *n\ne: {f: &n 3}\ng: *n\n';
  const opened = await openYaml(Buffer.from(text), { name: 'd', makeError: (message) => new Error(message) });
  await expect(async () => opened.set(keyPath, 5)).rejects.toThrow('refers to that value by an alias');
  await expect(async () => opened.remove(keyPath)).rejects.toThrow('refers to that value by an alias');
});
