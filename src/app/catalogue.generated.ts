// Written by `npm run generate` from the definitions in src/actions.
import type { CatalogueFamily } from './catalogue.ts';

export const catalogueFamilies: readonly CatalogueFamily[] = [
  {
    name: 'archive',
    group: 'archive',
    load: async () => (await import('../actions/archive/index.ts')).archive,
    actions: [
      ["FA_zip_dir",["reads","writes"],[],[]],
    ],
  },
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
    name: 'content-store',
    group: 'files',
    load: async () => (await import('../actions/content-store/index.ts')).contentStore,
    actions: [
      ["FA_cas_put",["reads","writes"],[],[]],
      ["FA_cas_put_bytes",["writes"],[],[]],
      ["FA_cas_exists",["reads"],[],[]],
      ["FA_cas_path",[],[],[]],
      ["FA_cas_read",["reads"],[],[]],
      ["FA_cas_copy_to",["reads","writes"],[],[]],
      ["FA_cas_delete",["removes"],[],[]],
      ["FA_cas_list",["reads"],[],[]],
      ["FA_cas_size",["reads"],[],[]],
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
    name: 'mime',
    group: 'files',
    load: async () => (await import('../actions/mime/index.ts')).mime,
    actions: [
      ["FA_detect_mime",["reads"],[],[]],
      ["FA_detect_mime_bytes",[],[],[]],
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
    name: 'project',
    group: 'files',
    load: async () => (await import('../actions/project/index.ts')).project,
    actions: [
      ["FA_create_project_dir",["writes"],[],[]],
      ["FA_read_action_json",["reads"],[],[]],
      ["FA_write_action_json",["writes"],[],[]],
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
  {
    name: 'trash',
    group: 'files',
    load: async () => (await import('../actions/trash/index.ts')).trash,
    actions: [
      ["FA_send_to_trash",["writes","removes"],[],[]],
      ["FA_list_trash",["reads"],[],[]],
      ["FA_restore_from_trash",["writes","removes"],[],[]],
      ["FA_empty_trash",["removes"],[],[]],
    ],
  },
  {
    name: 'versions',
    group: 'files',
    load: async () => (await import('../actions/versions/index.ts')).versions,
    actions: [
      ["FA_version_save",["reads","writes"],[],[]],
      ["FA_version_list",["reads"],[],[]],
      ["FA_version_restore",["reads","writes"],[],[]],
      ["FA_version_prune",["removes"],[],[]],
    ],
  },
];
