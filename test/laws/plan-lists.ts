import fc from 'fast-check';

/** A command, and a list in any of its forms. */
export type Command = readonly [string, object];
export type List = { readonly [key: string]: unknown };

/** What stands in the directory before a generated list runs. `keep.txt` is only ever read. */
export const SCENE: Readonly<Record<string, string>> = {
  'keep.txt': 'keep',
  'a.txt': 'aaa',
  'b.txt': 'b',
  'd/x.txt': 'x',
  'd/y.txt': 'y',
  'n-named.txt': 'n',
  'n-2026-03-04.txt': 'today',
  'old/1/2.txt': 'two',
};

export const VARIABLES: Readonly<Record<string, string>> = { NAME: 'named', DIR: 'd' };

/** What references may name beside the usual. */
export const NAMED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['event', { path: 'b.txt', kind: 'created', paths: ['b.txt'] }],
  ['schedule', { name: 'nightly', tick: '2026-03-04T05:06:00Z' }],
]);

const ANYWHERE = [
  'a.txt',
  'new.txt',
  'n-${env:NAME}.txt',
  '${env:MISSING:-b.txt}',
  'n-${date:%F}.txt',
  '${date:d}/y.txt',
  't-${date:%H%M%S}',
  'u-${uuid}',
  '${cwd}/c.txt',
  '${cwd}/${env:DIR}/z-${uuid}.txt',
  'deep/${date:%j}/${uuid}',
  'e-${event.kind}',
  '${event.path}',
  's-${schedule.name}.txt',
];
const DIRECTORIES = ['d', '${date:old}', '${env:DIR}', 'old/1', 'missing'];

/** Where a command stands: what references it may use, and whether others run beside it. */
interface Place {
  readonly depth: number;
  readonly inLoop: boolean;
  /** How the value of an earlier command is called, where there is one. */
  readonly earlier?: string;
}

const pathIn = ({ inLoop }: Place) =>
  fc.constantFrom(...ANYWHERE, ...(inLoop ? ['i-${item}-${index}', '${item}.txt', 'l-${index}-${uuid}'] : []));
const contentIn = ({ earlier }: Place) =>
  fc.constantFrom('', 'plain', '${uuid} ${date}', '${cwd}', ...(earlier === undefined ? [] : [`told \${${earlier}}`]));

const writing = (place: Place): fc.Arbitrary<Command> =>
  fc.tuple(pathIn(place), contentIn(place)).map(([file_path, content]) => ['FA_create_file', { file_path, content }]);

/** A command that does not mind what others do at the same time. */
const alone = (place: Place): fc.Arbitrary<Command> =>
  contentIn(place).map((content) => ['FA_create_file', { file_path: 'p-${uuid}', content }]);

const simple = (place: Place): fc.Arbitrary<Command> =>
  fc.oneof(
    { weight: 3, arbitrary: writing(place) },
    fc.tuple(pathIn(place), pathIn(place)).map(([file_path, target_path]): Command => ['FA_copy_file', { file_path, target_path }]),
    fc
      .tuple(pathIn(place), pathIn(place))
      .map(([file_path, target_path]): Command => ['FA_move_file', { file_path, target_path, on_conflict: 'overwrite' }]),
    pathIn(place).map((file_path): Command => ['FA_remove_file', { file_path }]),
    fc.constantFrom(...DIRECTORIES).map((dir_path): Command => ['FA_remove_dir_tree', { dir_path }]),
    pathIn(place).map((path): Command => ['FA_version_save', { root: 'kept', path }]),
  );

/** Commands that hold others. */
const flow = (place: Place): fc.Arbitrary<Command> => {
  const inner: Place = { depth: place.depth - 1, inLoop: place.inLoop };
  const inside = listIn(inner);
  return fc.oneof(
    inside.map((action_list): Command => ['FA_execute_action', { action_list }]),
    inside.map((actions): Command => ['FA_with_retry', { actions }]),
    fc.tuple(pathIn(place), inside, inside).map(([path, then, else_]): Command => ['FA_if_exists', { path, then, else_ }]),
    fc
      .tuple(fc.uniqueArray(fc.constantFrom('a', 'b', 'x'), { maxLength: 3 }), listIn({ ...inner, inLoop: true }))
      .map(([items, actions]): Command => ['FA_for_each', { items, actions }]),
    fc
      .tuple(fc.array(alone({ ...inner, inLoop: true }), { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 4 }))
      .map(([actions, max_workers]): Command => ['FA_for_each', { items: [1, 2, 3], actions, max_workers }]),
    fc.tuple(pathIn(place), pathIn(place)).map(
      ([one, other]): Command => [
        'FA_callback',
        {
          trigger_function_name: 'FA_create_file',
          trigger_kwargs: { file_path: one },
          callback_function: 'FA_create_file',
          callback_function_param: { file_path: other },
        },
      ],
    ),
  );
};

const commandIn = (place: Place): fc.Arbitrary<Command> =>
  place.depth === 0 ? simple(place) : fc.oneof({ weight: 3, arbitrary: simple(place) }, { weight: 2, arbitrary: flow(place) });

const FIRST: Command = ['FA_file_checksum', { file_path: '${cwd}/keep.txt' }];
const few = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: 1, maxLength: 4 });

const serial = (place: Place): fc.Arbitrary<List> =>
  fc
    .tuple(few(commandIn({ ...place, earlier: 'results[0].value' })), fc.boolean())
    .map(([commands, stop_on_error]) => ({ actions: [FIRST, ...commands], stop_on_error }));

const parallel = (place: Place): fc.Arbitrary<List> =>
  few(alone({ depth: 0, inLoop: place.inLoop })).map((actions) => ({ actions, mode: 'parallel', max_workers: 3 }));

/** Nodes that all wait for the first and run beside each other. */
const graph = (place: Place): fc.Arbitrary<List> =>
  few(alone({ depth: 0, inLoop: place.inLoop, earlier: 'nodes.first.value' })).map((commands) => ({
    nodes: [...commands.map((action, at) => ({ id: `n${at}`, action, depends_on: ['first'] })), { id: 'first', action: FIRST }],
    max_workers: 3,
  }));

const listIn = (place: Place): fc.Arbitrary<List> =>
  fc.oneof({ weight: 4, arbitrary: serial(place) }, { weight: 1, arbitrary: parallel(place) }, { weight: 1, arbitrary: graph(place) });

/** Lists with every kind of reference, in every form, two deep. */
export const anyList: fc.Arbitrary<List> = listIn({ depth: 2, inLoop: false });
