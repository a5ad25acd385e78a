/** A command that makes `made.txt`. */
export const WRITE = ['FA_create_file', { file_path: 'made.txt', content: 'x' }] as const;

/** A way to hide that command in a list. */
export interface Disguise {
  readonly name: string;
  readonly list: object;
  /** A dry run of the list sees the command. */
  readonly isForeseen: boolean;
}

const graph = [{ id: 'a', action: WRITE }];

/** Ways to hide a command; `list.json` must hold a list with it. */
export const DISGUISES: readonly Disguise[] = [
  { name: 'plain', list: { actions: [WRITE] }, isForeseen: true },
  { name: 'by position', list: { actions: [['FA_create_file', ['made.txt', 'x']]] }, isForeseen: true },
  { name: 'older word', list: { auto_control: [WRITE] }, isForeseen: true },
  { name: 'graph', list: { nodes: graph }, isForeseen: true },
  { name: 'nested', list: { actions: [['FA_execute_action', { action_list: [WRITE] }]] }, isForeseen: true },
  { name: 'nested by position', list: { actions: [['FA_execute_action', [[WRITE]]]] }, isForeseen: true },
  { name: 'nested graph', list: { actions: [['FA_execute_action_dag', { nodes: graph }]] }, isForeseen: true },
  { name: 'parallel', list: { actions: [['FA_execute_action_parallel', { action_list: [WRITE] }]] }, isForeseen: true },
  { name: 'branch', list: { actions: [['FA_if_exists', { path: 'nowhere', then: [], else_: [WRITE] }]] }, isForeseen: true },
  { name: 'for each', list: { actions: [['FA_for_each', { items: [1], actions: [WRITE] }]] }, isForeseen: true },
  { name: 'retry', list: { actions: [['FA_with_retry', { actions: [WRITE] }]] }, isForeseen: true },
  {
    name: 'callback',
    list: {
      actions: [
        [
          'FA_callback',
          {
            trigger_function_name: 'FA_list_dir',
            trigger_kwargs: { dir_path: '.' },
            callback_function: 'FA_create_file',
            callback_function_param: { file_path: 'made.txt' },
          },
        ],
      ],
    },
    isForeseen: true,
  },
  { name: 'file of lists', list: { actions: [['FA_execute_files', { execute_files_list: ['list.json'] }]] }, isForeseen: true },
  { name: 'list from a file, not declared', list: { actions: [['FA_t_run_file', { path: 'list.json' }]] }, isForeseen: false },
  {
    name: 'list from a value',
    list: {
      actions: [
        ['FA_t_echo', { value: [WRITE] }],
        ['FA_t_run_list', { action_list: '${results[0].value}' }],
      ],
    },
    isForeseen: false,
  },
  { name: 'queued', list: { actions: [['FA_queue_enqueue', { action: [WRITE] }]] }, isForeseen: false },
  {
    name: 'scheduled',
    list: { actions: [['FA_schedule_add', { name: 'job', cron_expression: '* * * * *', action_list: [WRITE] }]] },
    isForeseen: false,
  },
  {
    name: 'watching',
    list: { actions: [['FA_watch_start', { name: 'watcher', path: '.', action_list: [WRITE] }]] },
    isForeseen: false,
  },
];
