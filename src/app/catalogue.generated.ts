// Written by `npm run generate` from the definitions in src/actions.
import type { CatalogueFamily } from './catalogue.ts';

export const catalogueFamilies: readonly CatalogueFamily[] = [
  {
    name: 'checksum',
    group: 'sync',
    load: async () => (await import('../actions/checksum/index.ts')).checksum,
    actions: [
      ["FA_file_checksum",["reads"],[],[]],
      ["FA_verify_checksum",["reads"],[],[]],
    ],
  },
  {
    name: 'directories',
    group: 'files',
    load: async () => (await import('../actions/directories/index.ts')).directories,
    actions: [
      ["FA_copy_dir",["reads","writes"],[],[]],
      ["FA_create_dir",["writes"],[],[]],
      ["FA_remove_dir_tree",["removes"],[],[]],
      ["FA_rename_dir",["writes","removes"],[],[]],
      ["FA_list_dir",["reads"],[],[]],
    ],
  },
  {
    name: 'discovery',
    group: 'files',
    load: async () => (await import('../actions/discovery/index.ts')).discovery,
    actions: [
      ["FA_get_dir_files_as_list",["reads"],[],[]],
    ],
  },
  {
    name: 'files',
    group: 'files',
    load: async () => (await import('../actions/files/index.ts')).files,
    actions: [
      ["FA_create_file",["writes"],[],[]],
      ["FA_copy_file",["reads","writes"],[],[]],
      ["FA_rename_file",["writes"],[],[]],
      ["FA_remove_file",["removes"],[],[]],
      ["FA_copy_all_file_to_dir",["writes","removes"],[],[]],
      ["FA_copy_specify_extension_file",["reads","writes"],[],[]],
      ["FA_read_file",["reads"],[],[]],
      ["FA_stat",["reads"],[],[]],
      ["FA_move_file",["reads","writes","removes"],[],[]],
    ],
  },
  {
    name: 'flow',
    group: 'flow',
    load: async () => (await import('../actions/flow/index.ts')).flow,
    actions: [
      ["FA_if_exists",["reads","steps"],[{"key":"then","at":1,"form":"list","names":[]},{"key":"else_","at":2,"form":"list","names":[]}],[]],
      ["FA_if_newer",["reads","steps"],[{"key":"then","at":2,"form":"list","names":[]},{"key":"else_","at":3,"form":"list","names":[]}],[]],
      ["FA_if_size_gt",["reads","steps"],[{"key":"then","at":2,"form":"list","names":[]},{"key":"else_","at":3,"form":"list","names":[]}],[]],
      ["FA_execute_action_dag",["steps"],[{"key":"nodes","at":0,"form":"nodes","names":[]}],[]],
      ["FA_execute_action",["steps"],[{"key":"action_list","at":0,"form":"list","names":[]}],[]],
      ["FA_execute_files",["reads","steps"],[],[]],
      ["FA_execute_action_parallel",["steps"],[{"key":"action_list","at":0,"form":"list","names":[]}],[]],
      ["FA_validate",["steps"],[{"key":"action_list","at":0,"form":"list","names":[]}],[]],
      ["FA_substitute",[],[],[]],
      ["FA_callback",["steps"],[{"key":"trigger_function_name","at":0,"form":"name","names":[]},{"key":"callback_function","at":1,"form":"name","names":[]}],[]],
      ["FA_list_actions",[],[],[]],
      ["FA_describe_action",[],[],[]],
      ["FA_for_each",["steps"],[{"key":"actions","at":1,"form":"list","names":["item","index"]}],[]],
    ],
  },
  {
    name: 'paths',
    group: 'files',
    load: async () => (await import('../actions/paths/index.ts')).paths,
    actions: [
      ["FA_safe_join",["reads"],[],[]],
      ["FA_is_within",["reads"],[],[]],
    ],
  },
  {
    name: 'progress',
    group: 'state',
    load: async () => (await import('../actions/progress/index.ts')).progress,
    actions: [
      ["FA_progress_list",[],[],[]],
      ["FA_progress_cancel",[],[],[]],
      ["FA_progress_clear",[],[],[]],
      ["FA_progress_get",[],[],[]],
      ["FA_progress_forget",[],[],[]],
    ],
  },
  {
    name: 'reliability',
    group: 'reliability',
    load: async () => (await import('../actions/reliability/index.ts')).reliability,
    actions: [
      ["FA_with_retry",["steps"],[{"key":"actions","at":0,"form":"list","names":[]}],[]],
      ["FA_with_quota",["steps"],[{"key":"actions","at":0,"form":"list","names":[]}],[]],
      ["FA_with_timeout",["steps"],[{"key":"actions","at":0,"form":"list","names":[]}],[]],
    ],
  },
  {
    name: 'shell',
    group: 'shell',
    load: async () => (await import('../actions/shell/index.ts')).shell,
    actions: [
      ["FA_run_shell",["executes"],[],[]],
    ],
  },
];
