type List = readonly unknown[];

/** A list with a command that is allowed before the one that is not; where the whole is refused, neither runs. */
export const HIDDEN: List = [['probe_touch'], ['probe_deny']];

const nodesOf = (list: List) => list.map((action, at) => ({ id: `n${at}`, action }));
const graph = { nodes: nodesOf(HIDDEN) };
/** Each level is three of the JSON, of which 64 are taken. */
const DEEP = 19;

/** Requests in which the names are written, however deep: each is refused as a whole, before anything runs. */
export const WRITTEN: Readonly<Record<string, unknown>> = {
  'a bare list': HIDDEN,
  'arguments as an object': [
    ['probe_touch', {}],
    ['probe_deny', {}],
  ],
  'arguments by position': [
    ['probe_touch', []],
    ['probe_deny', []],
  ],
  'a malformed command': [['probe_touch'], ['probe_deny', {}, {}]],
  'a wrapped list': { actions: HIDDEN },
  'the older word for it': { auto_control: HIDDEN },
  'a parallel list': { actions: HIDDEN, mode: 'parallel' },
  'a list to be checked first': { actions: HIDDEN, validate_first: true },
  'a dry run': { actions: HIDDEN, dry_run: true },
  'a plan to be compared with': { actions: HIDDEN, expect_plan: 'x' },
  'a graph': graph,
  'a graph with an order': {
    nodes: [
      { id: 'a', action: ['probe_touch'] },
      { id: 'b', action: ['probe_deny'], depends_on: ['a'] },
    ],
  },
  'a node that always runs': {
    nodes: [
      { id: 'a', action: ['probe_touch'] },
      { id: 'b', action: ['probe_deny'], run: 'always' },
    ],
  },
  'a nested list': [['FA_execute_action', { action_list: HIDDEN }]],
  'a nested list by position': [['FA_execute_action', [HIDDEN]]],
  'a nested wrapped list': [['FA_execute_action', { action_list: { actions: HIDDEN } }]],
  'a nested graph as a list': [['FA_execute_action', { action_list: graph }]],
  'a nested graph': [['FA_execute_action_dag', graph]],
  'a nested graph by position': [['FA_execute_action_dag', [graph.nodes]]],
  'a nested parallel list': [['FA_execute_action_parallel', { action_list: HIDDEN }]],
  'a nested dry run': [['FA_execute_action', { action_list: HIDDEN, dry_run: true }]],
  'the branch that is taken': [['FA_if_exists', { path: 'list.json', then: HIDDEN }]],
  'the branch that is not taken': [['FA_if_exists', { path: 'nowhere', then: HIDDEN }]],
  'the other branch': [['FA_if_exists', { path: 'nowhere', then: [], else_: HIDDEN }]],
  'a branch by age': [['FA_if_newer', { path: 'list.json', reference: 'nowhere', then: HIDDEN }]],
  'a branch by size, by position': [['FA_if_size_gt', ['list.json', 1, HIDDEN]]],
  'a loop': [['FA_for_each', { items: [1, 2], actions: HIDDEN }]],
  'a loop over nothing': [['FA_for_each', { items: [], actions: HIDDEN }]],
  'a loop by position': [['FA_for_each', [[1], HIDDEN]]],
  tries: [['FA_with_retry', { actions: HIDDEN }]],
  'a quota': [['FA_with_quota', { actions: HIDDEN, max_bytes: 9 }]],
  'a time limit': [['FA_with_timeout', [HIDDEN, 5]]],
  'a rate limit': [['FA_with_rate_limit', { name: 'x', actions: HIDDEN, rate: 1 }]],
  'a circuit breaker': [['FA_with_circuit_breaker', { name: 'x', actions: HIDDEN }]],
  'a lock': [['FA_with_lock', { name: 'x', actions: HIDDEN }]],
  'a file lock': [['FA_with_file_lock', { path: 'x.lock', actions: HIDDEN }]],
  'a trigger of a callback': [['FA_callback', { trigger_function_name: 'probe_deny', callback_function: 'probe_touch' }]],
  'a callback': [['FA_callback', ['probe_touch', 'probe_deny']]],
  'the queue': [['FA_queue_enqueue', { action: HIDDEN }]],
  'a schedule': [['FA_schedule_add', { name: 'x', cron_expression: '* * * * *', action_list: HIDDEN }]],
  'a watcher': [['FA_watch_start', { name: 'x', path: '.', action_list: HIDDEN }]],
  'an alias': [['probe_touch'], ['FA_grep_files', { root: '.', pattern: 'x' }]],
  'the name behind an alias': [['probe_touch'], ['FA_grep', { root: '.', pattern: 'x' }]],
  'many levels': Array.from({ length: DEEP }).reduce<List>((list) => [['FA_execute_action', { action_list: list }]], HIDDEN),
  'everything at once': {
    nodes: [
      {
        id: 'a',
        action: ['FA_for_each', { items: [1], actions: { actions: [['FA_with_retry', [[['FA_if_exists', ['x', [], HIDDEN]]]]]] } }],
      },
    ],
  },
};

/** Requests in which the names show only while they run: what would run them fails, and nothing of the hidden list runs. */
export const COMPUTED: Readonly<Record<string, List>> = {
  'a list that is only checked': [['FA_validate', { action_list: HIDDEN }]],
  'a file of lists': [['FA_execute_files', { execute_files_list: ['list.json'] }]],
  'a list that was read from a file': [
    ['FA_json_get', { path: 'list.json', key_path: '' }],
    ['FA_execute_action', { action_list: '${results[0].value}' }],
  ],
  'a name from the environment': [['FA_callback', { trigger_function_name: '${env:CALLED}', callback_function: 'probe_touch' }]],
};

/** Names that only look like the refused one, or are to become it: nothing is called so, and nothing runs. */
export const MISSPELT: readonly string[] = [
  '${env:CALLED}',
  'PROBE_DENY',
  'probe_deny ',
  ' probe_deny',
  'probe_deny\u0000',
  'probe\u200b_deny',
  'probe_d\u0435ny',
  'group:registered',
  'probe_*',
];
