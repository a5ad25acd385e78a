// Written by `npm run generate` from the definitions in src/actions.
import type { Outcome, RunResult } from '../core/result.ts';
import type { NestedList } from './typed/commands.ts';
import type { GraphNode } from './typed/lists.ts';

/**
 * Every built-in action by name: what a caller writes, the order of arguments without a name, and the value that comes back. Programs and
 * plugins declare their own actions here: `declare module 'factotum' { interface ActionMap { … } }`.
 */
export interface ActionMap {
  /** Packs a file or directory into a tar archive; gives its path. */
  FA_create_tar: {
    args: {
      /** The file or directory to pack; the member at the top has its name. */
      readonly source: string;
      /** The archive to write; its directory is created where it is missing. */
      readonly target: string;
      /** gz, bz2, xz or zst; none or null for a plain archive. Default: "gz". */
      readonly compression?: string | null;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [source: "source", target: "target", compression?: "compression", on_unreadable?: "on_unreadable"];
    value: string;
  };
  /** Unpacks a tar archive, plain or compressed with gz, bz2, xz or zst; gives the names of its members. */
  FA_extract_tar: {
    args: {
      /** The archive. */
      readonly source: string;
      /** The directory to extract into. */
      readonly target_dir: string;
      /** What to do with files that exist already. Default: "overwrite". */
      readonly on_conflict?: "error" | "skip" | "overwrite" | "rename" | "trash" | "skip_if_same";
      /** Whether links are refused, or made where they stay inside the target. Default: "refuse". */
      readonly links?: "refuse" | "inside";
      /** Most bytes that may come out. Default: 10737418240. */
      readonly max_bytes?: number;
      /** Most entries that the archive may have. Default: 100000. */
      readonly max_entries?: number;
      /** Most bytes that may come out for one that goes in, judged after 10 MiB. Default: 100. */
      readonly max_ratio?: number;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [source: "source", target_dir: "target_dir", on_conflict?: "on_conflict", links?: "links", max_bytes?: "max_bytes", max_entries?: "max_entries", max_ratio?: "max_ratio", lenient?: "lenient"];
    value: readonly string[];
  };
  /** Packs the contents of a directory into a zip archive. */
  FA_zip_dir: {
    args: {
      /** The directory to pack; its entries are named from it. */
      readonly dir_we_want_to_zip: string;
      /** The archive to write; .zip is added where it is missing. */
      readonly zip_name: string;
      /** How hard to compress: 0 not at all, 9 hardest. Default: 4. */
      readonly level?: number;
      /** Encrypt the contents with AES-256 under this password. Default: null. */
      readonly password?: string | { readonly base64: string } | null;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [dir_we_want_to_zip: "dir_we_want_to_zip", zip_name: "zip_name", level?: "level", password?: "password", on_unreadable?: "on_unreadable"];
    value: null;
  };
  /** Packs one file or a list of files into a zip archive. */
  FA_zip_file: {
    args: {
      /** The archive to write; an existing one is replaced. */
      readonly zip_file_path: string;
      /** The file or files to pack, each under its own name without directories. */
      readonly file: string | readonly string[];
      /** How hard to compress: 0 not at all, 9 hardest. Default: 0. */
      readonly level?: number;
      /** Encrypt the contents with AES-256 under this password. Default: null. */
      readonly password?: string | { readonly base64: string } | null;
    };
    order: readonly [zip_file_path: "zip_file_path", file: "file", level?: "level", password?: "password"];
    value: null;
  };
  /** Describes every member of a zip archive. */
  FA_zip_info: {
    args: {
      /** The archive. */
      readonly zip_file_path: string;
      /** Most bytes that may come out. Default: 10737418240. */
      readonly max_bytes?: number;
      /** Most entries that the archive may have. Default: 100000. */
      readonly max_entries?: number;
      /** Most bytes that may come out for one that goes in, judged after 10 MiB. Default: 100. */
      readonly max_ratio?: number;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [zip_file_path: "zip_file_path", max_bytes?: "max_bytes", max_entries?: "max_entries", max_ratio?: "max_ratio", lenient?: "lenient"];
    value: readonly ({ readonly filename: string; readonly file_size: number; readonly compress_size: number; readonly crc: number; readonly compress_type: number; readonly date_time: string; readonly is_dir: boolean })[];
  };
  /** Lists the member names of a zip archive. */
  FA_zip_file_info: {
    args: {
      /** The archive. */
      readonly zip_file_path: string;
      /** Most bytes that may come out. Default: 10737418240. */
      readonly max_bytes?: number;
      /** Most entries that the archive may have. Default: 100000. */
      readonly max_entries?: number;
      /** Most bytes that may come out for one that goes in, judged after 10 MiB. Default: 100. */
      readonly max_ratio?: number;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [zip_file_path: "zip_file_path", max_bytes?: "max_bytes", max_entries?: "max_entries", max_ratio?: "max_ratio", lenient?: "lenient"];
    value: readonly string[];
  };
  /** Encrypts every member of a zip archive with AES-256 under a password. */
  FA_set_zip_password: {
    args: {
      /** The archive, which is rewritten. */
      readonly zip_file_path: string;
      /** The password; members that have one already must have the same. */
      readonly password: string | { readonly base64: string };
      /** Most bytes that may come out. Default: 10737418240. */
      readonly max_bytes?: number;
      /** Most entries that the archive may have. Default: 100000. */
      readonly max_entries?: number;
      /** Most bytes that may come out for one that goes in, judged after 10 MiB. Default: 100. */
      readonly max_ratio?: number;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [zip_file_path: "zip_file_path", password: "password", max_bytes?: "max_bytes", max_entries?: "max_entries", max_ratio?: "max_ratio", lenient?: "lenient"];
    value: null;
  };
  /** Extracts one member of a zip archive under its own path. */
  FA_unzip_file: {
    args: {
      /** The archive. */
      readonly zip_file_path: string;
      /** The member as the archive names it. */
      readonly extract_member: string;
      /** The directory to extract into; by default the working directory. Default: null. */
      readonly extract_path?: string | null;
      /** The password, for archives that have one. Default: null. */
      readonly password?: string | { readonly base64: string } | null;
      /** What to do with files that exist already. Default: "overwrite". */
      readonly on_conflict?: "error" | "skip" | "overwrite" | "rename" | "trash" | "skip_if_same";
      /** Whether links are refused, or made where they stay inside the target. Default: "refuse". */
      readonly links?: "refuse" | "inside";
      /** Most bytes that may come out. Default: 10737418240. */
      readonly max_bytes?: number;
      /** Most entries that the archive may have. Default: 100000. */
      readonly max_entries?: number;
      /** Most bytes that may come out for one that goes in, judged after 10 MiB. Default: 100. */
      readonly max_ratio?: number;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [zip_file_path: "zip_file_path", extract_member: "extract_member", extract_path?: "extract_path", password?: "password", on_conflict?: "on_conflict", links?: "links", max_bytes?: "max_bytes", max_entries?: "max_entries", max_ratio?: "max_ratio", lenient?: "lenient"];
    value: null;
  };
  /** Reads one member of a zip archive; gives its bytes. */
  FA_read_zip_file: {
    args: {
      /** The archive. */
      readonly zip_file_path: string;
      /** The member as the archive names it. */
      readonly file_name: string;
      /** The password, for archives that have one. Default: null. */
      readonly password?: string | { readonly base64: string } | null;
      /** Most bytes that may come out. Default: 10737418240. */
      readonly max_bytes?: number;
      /** Most entries that the archive may have. Default: 100000. */
      readonly max_entries?: number;
      /** Most bytes that may come out for one that goes in, judged after 10 MiB. Default: 100. */
      readonly max_ratio?: number;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [zip_file_path: "zip_file_path", file_name: "file_name", password?: "password", max_bytes?: "max_bytes", max_entries?: "max_entries", max_ratio?: "max_ratio", lenient?: "lenient"];
    value: { readonly base64: string };
  };
  /** Extracts all members of a zip archive, or a list of them. */
  FA_unzip_all: {
    args: {
      /** The archive. */
      readonly zip_file_path: string;
      /** The members to extract; by default all. Default: null. */
      readonly extract_member?: readonly string[] | null;
      /** The directory to extract into; by default the working directory. Default: null. */
      readonly extract_path?: string | null;
      /** The password, for archives that have one. Default: null. */
      readonly password?: string | { readonly base64: string } | null;
      /** What to do with files that exist already. Default: "overwrite". */
      readonly on_conflict?: "error" | "skip" | "overwrite" | "rename" | "trash" | "skip_if_same";
      /** Whether links are refused, or made where they stay inside the target. Default: "refuse". */
      readonly links?: "refuse" | "inside";
      /** Most bytes that may come out. Default: 10737418240. */
      readonly max_bytes?: number;
      /** Most entries that the archive may have. Default: 100000. */
      readonly max_entries?: number;
      /** Most bytes that may come out for one that goes in, judged after 10 MiB. Default: 100. */
      readonly max_ratio?: number;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [zip_file_path: "zip_file_path", extract_member?: "extract_member", extract_path?: "extract_path", password?: "password", on_conflict?: "on_conflict", links?: "links", max_bytes?: "max_bytes", max_entries?: "max_entries", max_ratio?: "max_ratio", lenient?: "lenient"];
    value: null;
  };
  /** Names the format of an archive by its content. */
  FA_detect_archive_format: {
    args: {
      /** The file. */
      readonly path: string;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [path: "path", lenient?: "lenient"];
    value: "zip" | "tar" | "tar.gz" | "tar.bz2" | "tar.xz" | "tar.zst" | "gz" | "bz2" | "xz" | "zst" | "7z" | "rar";
  };
  /** Lists the entry names of an archive of any supported format. */
  FA_list_archive: {
    args: {
      /** The archive. */
      readonly path: string;
      /** Most bytes that may come out. Default: 10737418240. */
      readonly max_bytes?: number;
      /** Most entries that the archive may have. Default: 100000. */
      readonly max_entries?: number;
      /** Most bytes that may come out for one that goes in, judged after 10 MiB. Default: 100. */
      readonly max_ratio?: number;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [path: "path", max_bytes?: "max_bytes", max_entries?: "max_entries", max_ratio?: "max_ratio", lenient?: "lenient"];
    value: readonly string[];
  };
  /** Extracts an archive of any supported format, found by its content; gives the names of what was written. */
  FA_extract_archive: {
    args: {
      /** The archive. */
      readonly source: string;
      /** The directory to extract into. */
      readonly target: string;
      /** What to do with files that exist already. Default: "overwrite". */
      readonly on_conflict?: "error" | "skip" | "overwrite" | "rename" | "trash" | "skip_if_same";
      /** Whether links are refused, or made where they stay inside the target. Default: "refuse". */
      readonly links?: "refuse" | "inside";
      /** Most bytes that may come out. Default: 10737418240. */
      readonly max_bytes?: number;
      /** Most entries that the archive may have. Default: 100000. */
      readonly max_entries?: number;
      /** Most bytes that may come out for one that goes in, judged after 10 MiB. Default: 100. */
      readonly max_ratio?: number;
      /** The password, for archives that have one. Default: null. */
      readonly password?: string | { readonly base64: string } | null;
      /** Read archives that are padded or joined: bytes before or behind a zip, gz, bz2 or zst file are left out, tar files joined with cat are read as one. What is refused without this can show different content to different programs. Default: false. */
      readonly lenient?: boolean;
    };
    order: readonly [source: "source", target: "target", on_conflict?: "on_conflict", links?: "links", max_bytes?: "max_bytes", max_entries?: "max_entries", max_ratio?: "max_ratio", password?: "password", lenient?: "lenient"];
    value: readonly string[];
  };
  /** Lists the archive formats that are recognised. */
  FA_archive_formats: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly string[];
  };
  /** Lists the newest lines of the audit log: which action ran for whom, with what arguments, and what came of it. */
  FA_audit_recent: {
    args: {
      /** Most lines. Default: 100. */
      readonly limit?: number;
      /** The file of a store that holds the log; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [limit?: "limit", db_path?: "db_path"];
    value: readonly ({ readonly id: number; readonly ts: string; readonly action: string; readonly payload: unknown; readonly result: unknown; readonly error: string | null; readonly duration_ms: number | null; readonly caller: string | null; readonly run_id: string | null })[];
  };
  /** Counts the lines of the audit log. */
  FA_audit_count: {
    args: {
      /** The file of a store that holds the log; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [db_path?: "db_path"];
    value: number;
  };
  /** Deletes old lines of the audit log; tells how many. */
  FA_audit_purge: {
    args: {
      /** Lines older than this go. */
      readonly older_than_seconds: number;
      /** The file of a store that holds the log; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [older_than_seconds: "older_than_seconds", db_path?: "db_path"];
    value: number;
  };
  /** Opens a connection to Azure Blob storage, which is the default of this caller until it is closed or 30 minutes unused. */
  FA_azure_blob_later_init: {
    args: {
      /** The connection string of the account. Default: null. */
      readonly connection_string?: string | null;
      /** The address of the account, where there is no connection string. Default: null. */
      readonly account_url?: string | null;
      /** The key or shared access signature that goes with it. Default: null. */
      readonly credential?: unknown | null;
    };
    order: readonly [connection_string?: "connection_string", account_url?: "account_url", credential?: "credential"];
    value: null;
  };
  /** Uploads one file to Azure Blob storage. */
  FA_azure_blob_upload_file: {
    args: {
      /** The file to upload. */
      readonly file_path: string;
      /** The container. */
      readonly container: string;
      /** What it is called there. */
      readonly blob_name: string;
      /** Replace what is there; otherwise that is refused. Default: true. */
      readonly overwrite?: boolean;
      /** The name of a connection of [connections]; null: what FA_azure_blob_later_init opened, or [connections.azure]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [file_path: "file_path", container: "container", blob_name: "blob_name", overwrite?: "overwrite", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Uploads all files below a directory to Azure Blob storage and gives what they are called there. */
  FA_azure_blob_upload_dir: {
    args: {
      /** The directory whose files are uploaded, with all below. */
      readonly dir_path: string;
      /** The container. */
      readonly container: string;
      /** What the names begin with; a slash is put between. Default: "". */
      readonly name_prefix?: string;
      /** The name of a connection of [connections]; null: what FA_azure_blob_later_init opened, or [connections.azure]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** Patterns of the files that take part; none means all. Default: []. */
      readonly include?: readonly string[];
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [dir_path: "dir_path", container: "container", name_prefix?: "name_prefix", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", include?: "include", exclude?: "exclude", progress_name?: "progress_name"];
    value: readonly string[];
  };
  /** Downloads one blob of Azure Blob storage. */
  FA_azure_blob_download_file: {
    args: {
      /** The container. */
      readonly container: string;
      /** The blob. */
      readonly blob_name: string;
      /** Where the file goes; a directory keeps the name. */
      readonly target_path: string;
      /** The name of a connection of [connections]; null: what FA_azure_blob_later_init opened, or [connections.azure]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [container: "container", blob_name: "blob_name", target_path: "target_path", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Deletes one blob of Azure Blob storage. */
  FA_azure_blob_delete_blob: {
    args: {
      /** The container. */
      readonly container: string;
      /** The blob. */
      readonly blob_name: string;
      /** The name of a connection of [connections]; null: what FA_azure_blob_later_init opened, or [connections.azure]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [container: "container", blob_name: "blob_name", connection?: "connection"];
    value: boolean;
  };
  /** Lists the names of what is in a container of Azure Blob storage, all of them. */
  FA_azure_blob_list_container: {
    args: {
      /** The container. */
      readonly container: string;
      /** Only names that begin so. Default: "". */
      readonly name_prefix?: string;
      /** The name of a connection of [connections]; null: what FA_azure_blob_later_init opened, or [connections.azure]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [container: "container", name_prefix?: "name_prefix", connection?: "connection"];
    value: readonly string[];
  };
  /** Gives the digest of a file as lower-case hex. */
  FA_file_checksum: {
    args: {
      /** The file. */
      readonly path: string;
      /** The digest: any of OpenSSL, blake3, xxh3, xxh128 or crc32c. Default: "sha256". */
      readonly algorithm?: string;
      /** Bytes read at once; the digest does not depend on it. Default: 1048576. */
      readonly chunk_size?: number;
    };
    order: readonly [path: "path", algorithm?: "algorithm", chunk_size?: "chunk_size"];
    value: string;
  };
  /** Tells whether the digest of a file is the expected one. */
  FA_verify_checksum: {
    args: {
      /** The file. */
      readonly path: string;
      /** The digest in hex, in any case; `sha256:…` names its algorithm too. */
      readonly expected: string;
      /** The digest: any of OpenSSL, blake3, xxh3, xxh128 or crc32c. Default: "sha256". */
      readonly algorithm?: string;
      /** Bytes read at once; the digest does not depend on it. Default: 1048576. */
      readonly chunk_size?: number;
      /** What is not as it should be is told in the value (`report`), or makes the command fail (`fail`). Default: "report". */
      readonly on_mismatch?: "report" | "fail";
    };
    order: readonly [path: "path", expected: "expected", algorithm?: "algorithm", chunk_size?: "chunk_size", on_mismatch?: "on_mismatch"];
    value: boolean;
  };
  /** Takes over the sinks and defaults of a configuration file, in a service the whole file it is configured by; tells how many sinks. */
  FA_config_apply: {
    args: {
      /** The file: a factotum.toml. */
      readonly path: string;
    };
    order: readonly [path: "path"];
    value: number;
  };
  /** Stores a file under the digest of its content and gives that digest. */
  FA_cas_put: {
    args: {
      /** The directory of the store; made when first needed. */
      readonly root: string;
      /** The file to store. */
      readonly source: string;
    };
    order: readonly [root: "root", source: "source"];
    value: string;
  };
  /** Stores bytes under their digest and gives that digest. */
  FA_cas_put_bytes: {
    args: {
      /** The directory of the store; made when first needed. */
      readonly root: string;
      /** The bytes: a text as UTF-8, or base64. */
      readonly data: string | { readonly base64: string };
    };
    order: readonly [root: "root", data: "data"];
    value: string;
  };
  /** Tells whether a blob is stored. */
  FA_cas_exists: {
    args: {
      /** The directory of the store. */
      readonly root: string;
      /** The SHA-256 of the blob, 64 lower-case hex digits. */
      readonly digest: string;
    };
    order: readonly [root: "root", digest: "digest"];
    value: boolean;
  };
  /** Gives the path where a blob lies or would lie. */
  FA_cas_path: {
    args: {
      /** The directory of the store. */
      readonly root: string;
      /** The SHA-256 of the blob, 64 lower-case hex digits. */
      readonly digest: string;
    };
    order: readonly [root: "root", digest: "digest"];
    value: string;
  };
  /** Reads a blob and checks it against its digest. */
  FA_cas_read: {
    args: {
      /** The directory of the store. */
      readonly root: string;
      /** The SHA-256 of the blob, 64 lower-case hex digits. */
      readonly digest: string;
    };
    order: readonly [root: "root", digest: "digest"];
    value: string | { readonly base64: string };
  };
  /** Copies a blob to a path, checked against its digest; missing directories are made. */
  FA_cas_copy_to: {
    args: {
      /** The directory of the store. */
      readonly root: string;
      /** The SHA-256 of the blob, 64 lower-case hex digits. */
      readonly digest: string;
      /** Where the copy goes. */
      readonly destination: string;
    };
    order: readonly [root: "root", digest: "digest", destination: "destination"];
    value: string;
  };
  /** Deletes a blob; tells whether it was there. */
  FA_cas_delete: {
    args: {
      /** The directory of the store. */
      readonly root: string;
      /** The SHA-256 of the blob, 64 lower-case hex digits. */
      readonly digest: string;
    };
    order: readonly [root: "root", digest: "digest"];
    value: boolean;
  };
  /** Lists the digests of all blobs, sorted. */
  FA_cas_list: {
    args: {
      /** The directory of the store. */
      readonly root: string;
    };
    order: readonly [root: "root"];
    value: readonly string[];
  };
  /** Counts the blobs. */
  FA_cas_size: {
    args: {
      /** The directory of the store. */
      readonly root: string;
    };
    order: readonly [root: "root"];
    value: number;
  };
  /** Copies a file or everything below a directory from one location to another, whatever serves them. */
  FA_copy_between: {
    args: {
      /** Where from: a path of this machine, `s3+NAME://bucket/key`, `sftp+NAME://path`, `https://…` and their like. */
      readonly source: string;
      /** Where to; a file goes into what ends with a slash or is a directory, a directory brings what is in it. */
      readonly target: string;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** Patterns of the files that take part; none means all. Default: []. */
      readonly include?: readonly string[];
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** How many files each list of the answer holds at most; the totals count all. Default: 10000. */
      readonly max_listed?: number;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [source: "source", target: "target", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", include?: "include", exclude?: "exclude", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", max_listed?: "max_listed", progress_name?: "progress_name"];
    value: { readonly files: readonly ({ readonly path: string; readonly bytes: number; readonly verified: "sha256" | "sha1" | "md5" | "crc32" | "quickxor" | "dropbox" | "etag" | "size" | "none"; readonly how: "copied" | "server_side" | "resumed" | "unchanged" })[]; readonly copied: number; readonly unchanged: number; readonly deleted: number; readonly deleted_files: readonly string[]; readonly failed: readonly ({ readonly path: string; readonly error: string })[]; readonly bytes: number; readonly resumed_bytes: number; readonly duration_ms: number };
  };
  /** Makes a directory at one location like that at another, sending only what is new or changed. */
  FA_sync_between: {
    args: {
      /** The directory to copy from, as a location or a path. */
      readonly source: string;
      /** The directory to make like it. */
      readonly target: string;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** Delete what is only at the target. Default: false. */
      readonly delete?: boolean;
      /** Change nothing, only tell what would be done. Default: false. */
      readonly dry_run?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** Patterns of the files that take part; none means all. Default: []. */
      readonly include?: readonly string[];
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** Up to this many files are deleted, whatever their share. Default: 50. */
      readonly max_delete?: number;
      /** More than `max_delete` files are deleted only up to this share of the files at the target. Default: 0.1. */
      readonly max_delete_share?: number;
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** How many files each list of the answer holds at most; the totals count all. Default: 10000. */
      readonly max_listed?: number;
    };
    order: readonly [source: "source", target: "target", compare?: "compare", delete_?: "delete", dry_run?: "dry_run", progress_name?: "progress_name", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", include?: "include", exclude?: "exclude", max_delete?: "max_delete", max_delete_share?: "max_delete_share", bandwidth?: "bandwidth", preserve?: "preserve", max_listed?: "max_listed"];
    value: { readonly files: readonly ({ readonly path: string; readonly bytes: number; readonly verified: "sha256" | "sha1" | "md5" | "crc32" | "quickxor" | "dropbox" | "etag" | "size" | "none"; readonly how: "copied" | "server_side" | "resumed" | "unchanged" })[]; readonly copied: number; readonly unchanged: number; readonly deleted: number; readonly deleted_files: readonly string[]; readonly failed: readonly ({ readonly path: string; readonly error: string })[]; readonly bytes: number; readonly resumed_bytes: number; readonly duration_ms: number };
  };
  /** Encrypts a file so that only the key opens it and any change shows. */
  FA_encrypt_file: {
    args: {
      /** The file to encrypt; it stays. */
      readonly source: string;
      /** The encrypted file to write. */
      readonly target: string;
      /** The key, 16, 24 or 32 bytes: a text stands for its UTF-8 bytes, {"base64": "…"} and {"hex": "…"} for raw ones. */
      readonly key: string | { readonly base64: string } | { readonly hex: string };
      /** Data that is stored readable beside it and protected against change. Default: "". */
      readonly associated_data?: string | { readonly base64: string };
    };
    order: readonly [source: "source", target: "target", key: "key", associated_data?: "associated_data"];
    value: { readonly plaintext_bytes: number; readonly ciphertext_bytes: number };
  };
  /** Decrypts a file that FA_encrypt_file or the older tool wrote; a wrong key or a changed byte leaves the target as it was. */
  FA_decrypt_file: {
    args: {
      /** The encrypted file; it stays. */
      readonly source: string;
      /** The file to write. */
      readonly target: string;
      /** The key, 16, 24 or 32 bytes: a text stands for its UTF-8 bytes, {"base64": "…"} and {"hex": "…"} for raw ones. */
      readonly key: string | { readonly base64: string } | { readonly hex: string };
    };
    order: readonly [source: "source", target: "target", key: "key"];
    value: { readonly ciphertext_bytes: number; readonly plaintext_bytes: number };
  };
  /** Makes a random key for encryption. */
  FA_generate_key: {
    args: {
      /** Length of the key: 128, 192 or 256. Default: 256. */
      readonly bits?: number;
    };
    order: readonly [bits?: "bits"];
    value: { readonly base64: string };
  };
  /** Makes a key from a password and a salt; the same ones give the same key. */
  FA_key_from_password: {
    args: {
      /** The password. */
      readonly password: string;
      /** At least 16 bytes that differ from password to password; they need not be secret. */
      readonly salt: string | { readonly base64: string };
      /** Rounds of PBKDF2-HMAC-SHA256: more make guessing slower; callers with limits may ask for 2000000. Default: 600000. */
      readonly iterations?: number;
      /** Length of the key: 128, 192 or 256. Default: 256. */
      readonly bits?: number;
    };
    order: readonly [password: "password", salt: "salt", iterations?: "iterations", bits?: "bits"];
    value: { readonly base64: string };
  };
  /** Reads the value at a key path of a JSON file. */
  FA_json_get: {
    args: {
      /** The JSON file, up to 64 MiB; comments and trailing commas are allowed. */
      readonly path: string;
      /** Keys and list indexes parted by dots, such as servers.0.name; \. is a dot inside a key, -1 the last item; a path that starts with / is a JSON Pointer. Empty for the whole document. */
      readonly key_path: string;
      /** What to answer where the path leads nowhere. Default: null. */
      readonly default?: unknown | null;
    };
    order: readonly [path: "path", key_path: "key_path", default_?: "default"];
    value: unknown;
  };
  /** Sets the value at a key path of a JSON file; layout, order, comments and every other digit stay. */
  FA_json_set: {
    args: {
      /** The JSON file, up to 64 MiB; comments and trailing commas are allowed. */
      readonly path: string;
      /** Keys and list indexes parted by dots, such as servers.0.name; \. is a dot inside a key, -1 the last item; a path that starts with / is a JSON Pointer. Missing objects are created; the index behind the last item appends. */
      readonly key_path: string;
      /** The value to put there. */
      readonly value: unknown;
    };
    order: readonly [path: "path", key_path: "key_path", value: "value"];
    value: boolean;
  };
  /** Deletes the value at a key path of a JSON file; tells whether anything was there. */
  FA_json_delete: {
    args: {
      /** The JSON file, up to 64 MiB; comments and trailing commas are allowed. */
      readonly path: string;
      /** Keys and list indexes parted by dots, such as servers.0.name; \. is a dot inside a key, -1 the last item; a path that starts with / is a JSON Pointer. */
      readonly key_path: string;
    };
    order: readonly [path: "path", key_path: "key_path"];
    value: boolean;
  };
  /** Copies a CSV file of any size, keeping chosen columns and rows; tells how many rows were written. */
  FA_csv_filter: {
    args: {
      /** The CSV file to read. */
      readonly src: string;
      /** The CSV file to write; it may be the same. */
      readonly target: string;
      /** The columns to keep, in the order wanted; null keeps all. Default: null. */
      readonly columns?: readonly string[] | null;
      /** Keep only rows with where_equals in this column. Default: null. */
      readonly where_column?: string | null;
      /** The text to compare with, exactly. Default: null. */
      readonly where_equals?: string | null;
      /** The character between fields. Default: ",". */
      readonly delimiter?: string;
      /** The encoding of the file: utf-8, latin-1, utf-16 and so on. The target gets the same. Default: "utf-8". */
      readonly encoding?: string;
      /** Put an apostrophe before values that a sheet program would calculate. Default: false. */
      readonly escape_formulas?: boolean;
    };
    order: readonly [src: "src", target: "target", columns?: "columns", where_column?: "where_column", where_equals?: "where_equals", delimiter?: "delimiter", encoding?: "encoding", escape_formulas?: "escape_formulas"];
    value: number;
  };
  /** Converts a CSV file of any size to JSON Lines, one object a row; tells how many. */
  FA_csv_to_jsonl: {
    args: {
      /** The CSV file to read; its first line names the columns. */
      readonly src: string;
      /** The JSON Lines file to write, in UTF-8. */
      readonly target: string;
      /** The character between fields. Default: ",". */
      readonly delimiter?: string;
      /** The encoding of the file: utf-8, latin-1, utf-16 and so on. Default: "utf-8". */
      readonly encoding?: string;
    };
    order: readonly [src: "src", target: "target", delimiter?: "delimiter", encoding?: "encoding"];
    value: number;
  };
  /** Reads the records of a JSON Lines file, all or some of them; blank lines are skipped. */
  FA_jsonl_iter: {
    args: {
      /** The JSON Lines file. */
      readonly path: string;
      /** Most records to read; 0 gives none, null all of them up to 64 MiB. Default: null. */
      readonly limit?: number | null;
      /** The encoding of the file: utf-8, latin-1, utf-16 and so on. Default: "utf-8". */
      readonly encoding?: string;
      /** Records to leave out at the start. Default: 0. */
      readonly offset?: number;
    };
    order: readonly [path: "path", limit?: "limit", encoding?: "encoding", offset?: "offset"];
    value: readonly ({ readonly [key: string]: unknown })[];
  };
  /** Appends one object as a line of a JSON Lines file; file and directories are created if missing. */
  FA_jsonl_append: {
    args: {
      /** The JSON Lines file. */
      readonly path: string;
      /** The object to append. */
      readonly record: { readonly [key: string]: unknown };
      /** The encoding of the file: utf-8, latin-1, utf-16 and so on. Default: "utf-8". */
      readonly encoding?: string;
    };
    order: readonly [path: "path", record: "record", encoding?: "encoding"];
    value: boolean;
  };
  /** Reads the value at a key path of a YAML file, aliases and merges resolved. */
  FA_yaml_get: {
    args: {
      /** The YAML file: one document, up to 10 MiB. */
      readonly path: string;
      /** Keys and list indexes parted by dots, such as servers.0.name; \. is a dot inside a key, -1 the last item; a path that starts with / is a JSON Pointer. Empty for the whole document. */
      readonly key_path: string;
      /** What to answer where the path leads nowhere. Default: null. */
      readonly default?: unknown | null;
    };
    order: readonly [path: "path", key_path: "key_path", default_?: "default"];
    value: unknown;
  };
  /** Sets the value at a key path of a YAML file; layout, order, comments and quotes of everything else stay. */
  FA_yaml_set: {
    args: {
      /** The YAML file: one document, up to 10 MiB. */
      readonly path: string;
      /** Keys and list indexes parted by dots, such as servers.0.name; \. is a dot inside a key, -1 the last item; a path that starts with / is a JSON Pointer. Missing maps are created; the index behind the last item appends. */
      readonly key_path: string;
      /** The value to put there. */
      readonly value: unknown;
    };
    order: readonly [path: "path", key_path: "key_path", value: "value"];
    value: boolean;
  };
  /** Deletes the value at a key path of a YAML file; tells whether anything was there. */
  FA_yaml_delete: {
    args: {
      /** The YAML file: one document, up to 10 MiB. */
      readonly path: string;
      /** Keys and list indexes parted by dots, such as servers.0.name; \. is a dot inside a key, -1 the last item; a path that starts with / is a JSON Pointer. */
      readonly key_path: string;
    };
    order: readonly [path: "path", key_path: "key_path"];
    value: boolean;
  };
  /** Reads rows of a Parquet file as records, all or some of them. */
  FA_parquet_read: {
    args: {
      /** The Parquet file. */
      readonly path: string;
      /** Most rows to read; 0 gives none, null all of them up to 64 MiB. Default: null. */
      readonly limit?: number | null;
      /** The columns to read, in the order wanted; null reads all. Default: null. */
      readonly columns?: readonly string[] | null;
      /** Rows to leave out at the start. Default: 0. */
      readonly offset?: number;
    };
    order: readonly [path: "path", limit?: "limit", columns?: "columns", offset?: "offset"];
    value: readonly ({ readonly [key: string]: unknown })[];
  };
  /** Writes records as a Parquet file; tells how many. */
  FA_parquet_write: {
    args: {
      /** The Parquet file to write. */
      readonly path: string;
      /** The records; the columns are their keys, and a missing key is null. */
      readonly records: readonly ({ readonly [key: string]: unknown })[];
      /** Types by column where the values do not tell them (whole numbers become int64, other numbers double, lists and objects nest): boolean, int8 to int64, uint8 to uint64, float, double, decimal(precision,scale), string, binary, json, uuid, date, time, timestamp, local_timestamp (the last three with (ms), (us) or (ns)); ["type"] is a list, {"field": "type"} a structure, {"*": "type"} a map. Default: {}. */
      readonly schema?: { readonly [key: string]: unknown };
    };
    order: readonly [path: "path", records: "records", schema?: "schema"];
    value: number;
  };
  /** Converts a CSV file of any size to Parquet, every column a text; tells how many rows. */
  FA_csv_to_parquet: {
    args: {
      /** The CSV file to read; its first line names the columns. */
      readonly csv_path: string;
      /** The Parquet file to write. */
      readonly parquet_path: string;
      /** The character between fields. Default: ",". */
      readonly delimiter?: string;
      /** The encoding of the file: utf-8, latin-1, utf-16 and so on. Default: "utf-8". */
      readonly encoding?: string;
    };
    order: readonly [csv_path: "csv_path", parquet_path: "parquet_path", delimiter?: "delimiter", encoding?: "encoding"];
    value: number;
  };
  /** Finds files with the same content below a directory, the largest first. */
  FA_find_duplicates: {
    args: {
      /** The directory to search, at every depth; one that is missing holds nothing. Links are not followed. */
      readonly root: string;
      /** Leave out files with fewer bytes. Default: 1. */
      readonly min_size?: number;
      /** How many bytes of files of one size are compared before whole files are read. Default: 65536. */
      readonly sample_bytes?: number;
      /** The digest that `digests` tells: any of OpenSSL, blake3, xxh3, xxh128 or crc32c. Default: "sha256". */
      readonly algorithm?: string;
      /** Decide by a digest instead of a fast 128-bit hash, and tell it and the size of each group. Default: false. */
      readonly digests?: boolean;
      /** What becomes of all but the first of a group, after their bytes were compared: nothing, the trash, or one copy on the disk for all. Default: "report". */
      readonly apply?: "report" | "trash" | "hardlink" | "reflink";
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [root: "root", min_size?: "min_size", sample_bytes?: "sample_bytes", algorithm?: "algorithm", digests?: "digests", apply?: "apply", exclude?: "exclude", on_unreadable?: "on_unreadable"];
    value: readonly (readonly string[])[] | readonly ({ readonly size: number; readonly digest: string; readonly paths: readonly string[] })[];
  };
  /** Frees the disk space of a file that holds the same as another one; tells whether it took any. */
  FA_replace_duplicate: {
    args: {
      /** The file to replace; it is compared byte by byte before. */
      readonly path: string;
      /** The file that stays. */
      readonly original: string;
      /** Make it one more name of the original (`hardlink`), a copy that shares its space until either changes (`reflink`), or throw it away (`trash`). Default: "hardlink". */
      readonly how?: "hardlink" | "reflink" | "trash";
    };
    order: readonly [path: "path", original: "original", how?: "how"];
    value: boolean;
  };
  /** Tells the difference of two text files as a unified diff, empty when they are equal. */
  FA_diff_files: {
    args: {
      /** The old file. */
      readonly left: string;
      /** The new file. */
      readonly right: string;
      /** Unchanged lines shown around a change. Default: 3. */
      readonly context?: number;
      /** How the bytes of both files are read. Default: "utf-8". */
      readonly encoding?: string;
    };
    order: readonly [left: "left", right: "right", context?: "context", encoding?: "encoding"];
    value: string;
  };
  /** Applies a unified diff to one file, whole or not at all. */
  FA_apply_patch: {
    args: {
      /** The file to change. */
      readonly target: string;
      /** The text of the diff; its lines must stand exactly where it says. */
      readonly patch: string;
      /** How the bytes of the file are read and written. Default: "utf-8". */
      readonly encoding?: string;
    };
    order: readonly [target: "target", patch: "patch", encoding?: "encoding"];
    value: boolean;
  };
  /** Copies a directory tree; an existing target is merged into, links are copied as links. */
  FA_copy_dir: {
    args: {
      /** The directory to copy. */
      readonly dir_path: string;
      /** The directory that gets its content; made when missing. */
      readonly target_dir_path: string;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [dir_path: "dir_path", target_dir_path: "target_dir_path", on_unreadable?: "on_unreadable"];
    value: boolean;
  };
  /** Creates a directory with its parents; an existing one is fine. */
  FA_create_dir: {
    args: {
      /** The directory to create. */
      readonly dir_path: string;
    };
    order: readonly [dir_path: "dir_path"];
    value: boolean;
  };
  /** Deletes a directory with everything in it; tells whether there was one. */
  FA_remove_dir_tree: {
    args: {
      /** The directory to delete. A file or a link is left alone. */
      readonly dir_path: string;
    };
    order: readonly [dir_path: "dir_path"];
    value: boolean;
  };
  /** Renames or moves a directory; an existing empty target is replaced. */
  FA_rename_dir: {
    args: {
      /** The directory to rename. */
      readonly origin_dir_path: string;
      /** Its new path. */
      readonly target_dir: string;
    };
    order: readonly [origin_dir_path: "origin_dir_path", target_dir: "target_dir"];
    value: boolean;
  };
  /** Lists the entries of a directory, sorted by name. */
  FA_list_dir: {
    args: {
      /** The directory to list. Default: ".". */
      readonly dir_path?: string;
      /** Everything below it too; links are listed, not entered. Default: false. */
      readonly recursive?: boolean;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [dir_path?: "dir_path", recursive?: "recursive", on_unreadable?: "on_unreadable"];
    value: readonly ({ readonly name: string; readonly path: string; readonly type: "file" | "dir" | "link" | "other"; readonly size: number; readonly modified_at: string })[];
  };
  /** Lists the files with one extension below a directory, as absolute paths. */
  FA_get_dir_files_as_list: {
    args: {
      /** The directory to search, at every depth; by default the working directory. Default: null. */
      readonly dir_path?: string | null;
      /** The extension, in any case; the dot is optional. Default: ".json". */
      readonly default_search_file_extension?: string;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [dir_path?: "dir_path", default_search_file_extension?: "default_search_file_extension", on_unreadable?: "on_unreadable"];
    value: readonly string[];
  };
  /** Downloads a URL to a file, which appears whole or not at all. */
  FA_download_file: {
    args: {
      /** The URL; http or https, without a user name or password in it. */
      readonly file_url: string;
      /** The file to write; one that is there is replaced once the new one is whole. */
      readonly file_name: string;
      /** Bytes that are written at a time, at least. Default: 65536. */
      readonly chunk_size?: number;
      /** Seconds for connecting, and for the first byte of an answer. Default: 15. */
      readonly timeout?: number;
      /** Most bytes that the file may have; 0 is no limit. Default: 20971520. */
      readonly max_bytes?: number;
      /** The name under which the progress is shown and can be cancelled; left out, one made of the file name. Default: null. */
      readonly progress_name?: string | null;
      /** Keep what has arrived in FILE.part, and go on from there next time. Default: false. */
      readonly resume?: boolean;
      /** The SHA-256 digest that the file must have, as hexadecimal; with another one nothing is written. Default: null. */
      readonly expected_sha256?: string | null;
      /** Redirects that are followed; each is judged like the URL itself. Default: 5. */
      readonly max_redirects?: number;
      /** Further attempts after a failure that may pass; they go on where the last one broke off, where the server can. Default: 3. */
      readonly retries?: number;
      /** Seconds that may pass without a byte. Default: 30. */
      readonly stall_timeout?: number;
    };
    order: readonly [file_url: "file_url", file_name: "file_name", chunk_size?: "chunk_size", timeout?: "timeout", max_bytes?: "max_bytes", progress_name?: "progress_name", resume?: "resume", expected_sha256?: "expected_sha256", max_redirects?: "max_redirects", retries?: "retries", stall_timeout?: "stall_timeout"];
    value: boolean;
  };
  /** Another name of FA_download_file. */
  FA_http_download: ActionMap["FA_download_file"];
  /** Writes text to a file, replacing what was there. */
  FA_create_file: {
    args: {
      /** The file to write; its directory must exist. */
      readonly file_path: string;
      /** The text. Default: "". */
      readonly content?: string;
      /** How the text becomes bytes. Default: "utf-8". */
      readonly encoding?: string;
    };
    order: readonly [file_path: "file_path", content?: "content", encoding?: "encoding"];
    value: null;
  };
  /** Copies one file. */
  FA_copy_file: {
    args: {
      /** The file to copy. */
      readonly file_path: string;
      /** Where the copy goes; an existing directory keeps the name. */
      readonly target_path: string;
      /** Keep time and mode. Default: true. */
      readonly copy_metadata?: boolean;
      /** What to do when the target exists. Default: "overwrite". */
      readonly on_conflict?: "error" | "skip" | "overwrite" | "rename" | "trash" | "skip_if_same";
    };
    order: readonly [file_path: "file_path", target_path: "target_path", copy_metadata?: "copy_metadata", on_conflict?: "on_conflict"];
    value: boolean;
  };
  /** Renames every file below a directory to name_0, name_1 and so on, each keeping folder and extension. */
  FA_rename_file: {
    args: {
      /** The directory whose files are renamed, at every depth. */
      readonly origin_file_path: string;
      /** What the new names start with. */
      readonly target_name: string;
      /** Only files with this extension; the dot is optional. Default: null. */
      readonly file_extension?: string | null;
    };
    order: readonly [origin_file_path: "origin_file_path", target_name: "target_name", file_extension?: "file_extension"];
    value: boolean;
  };
  /** Deletes one file or link; tells whether there was one. */
  FA_remove_file: {
    args: {
      /** The file to delete. A directory is left alone; of a link only the link goes. */
      readonly file_path: string;
    };
    order: readonly [file_path: "file_path"];
    value: boolean;
  };
  /** Moves a whole directory into another existing directory. */
  FA_copy_all_file_to_dir: {
    args: {
      /** The directory to move. */
      readonly dir_path: string;
      /** The directory it goes into, under its own name. */
      readonly target_dir_path: string;
    };
    order: readonly [dir_path: "dir_path", target_dir_path: "target_dir_path"];
    value: boolean;
  };
  /** Copies every file with one extension below a directory into another directory, without its folders. */
  FA_copy_specify_extension_file: {
    args: {
      /** The directory to search, at every depth. */
      readonly file_dir_path: string;
      /** The extension, with or without the dot; upper and lower case differ. */
      readonly target_extension: string;
      /** The directory for the copies; made where it is missing. */
      readonly target_path: string;
      /** Keep times and modes. Default: true. */
      readonly copy_metadata?: boolean;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [file_dir_path: "file_dir_path", target_extension: "target_extension", target_path: "target_path", copy_metadata?: "copy_metadata", on_unreadable?: "on_unreadable"];
    value: boolean;
  };
  /** Reads a text file or a part of it; bytes on request. */
  FA_read_file: {
    args: {
      /** The file to read. */
      readonly file_path: string;
      /** How bytes become text; null gives the bytes as base64. Default: "utf-8". */
      readonly encoding?: string | null;
      /** Bytes to leave out at the start. Default: 0. */
      readonly offset?: number;
      /** Most bytes to read; needed for more than 1 MiB. Default: null. */
      readonly limit?: number | null;
    };
    order: readonly [file_path: "file_path", encoding?: "encoding", offset?: "offset", limit?: "limit"];
    value: string | { readonly base64: string };
  };
  /** Tells kind, size, time and mode of a path, or null when nothing is there. */
  FA_stat: {
    args: {
      /** The path to look at. */
      readonly path: string;
      /** Describe what a link leads to instead of the link. Default: true. */
      readonly follow_links?: boolean;
    };
    order: readonly [path: "path", follow_links?: "follow_links"];
    value: { readonly path: string; readonly kind: "file" | "dir" | "link" | "other"; readonly size: number; readonly modified_at: string; readonly mode: string } | null;
  };
  /** Moves or renames one file, also to another device. */
  FA_move_file: {
    args: {
      /** The file to move. */
      readonly file_path: string;
      /** Where it goes; an existing directory keeps the name. */
      readonly target_path: string;
      /** What to do when the target exists. Default: "error". */
      readonly on_conflict?: "error" | "skip" | "overwrite" | "rename" | "trash" | "skip_if_same";
    };
    order: readonly [file_path: "file_path", target_path: "target_path", on_conflict?: "on_conflict"];
    value: string;
  };
  /** Runs one of two lists, depending on whether something is at a path. */
  FA_if_exists: {
    args: {
      /** The path to look at. */
      readonly path: string;
      /** The commands to run when it holds. Default: null. */
      readonly then?: NestedList | null;
      /** The commands to run when it does not. Default: null. */
      readonly else_?: NestedList | null;
    };
    order: readonly [path: "path", then?: "then", else_?: "else_"];
    value: { readonly matched: boolean; readonly results: readonly Outcome[] };
  };
  /** Runs one of two lists, depending on whether a path is newer than a reference; a missing reference counts as older. */
  FA_if_newer: {
    args: {
      /** The path to look at; a missing one is never newer. */
      readonly path: string;
      /** The path it is compared with. */
      readonly reference: string;
      /** The commands to run when it holds. Default: null. */
      readonly then?: NestedList | null;
      /** The commands to run when it does not. Default: null. */
      readonly else_?: NestedList | null;
    };
    order: readonly [path: "path", reference: "reference", then?: "then", else_?: "else_"];
    value: { readonly matched: boolean; readonly results: readonly Outcome[] };
  };
  /** Runs one of two lists, depending on whether a file is larger than a number of bytes. */
  FA_if_size_gt: {
    args: {
      /** The file to look at; a directory never matches. */
      readonly path: string;
      /** It must hold more than this. */
      readonly bytes_threshold: number;
      /** The commands to run when it holds. Default: null. */
      readonly then?: NestedList | null;
      /** The commands to run when it does not. Default: null. */
      readonly else_?: NestedList | null;
    };
    order: readonly [path: "path", bytes_threshold: "bytes_threshold", then?: "then", else_?: "else_"];
    value: { readonly matched: boolean; readonly results: readonly Outcome[] };
  };
  /** Runs commands in the order of their dependencies, independent ones at once. */
  FA_execute_action_dag: {
    args: {
      /** The nodes: id, action, depends_on, and where wanted retry, timeout_s and run. */
      readonly nodes: readonly GraphNode[];
      /** How many run at once. Default: 4. */
      readonly max_workers?: number;
      /** Skip what depends on a failed node. Default: true. */
      readonly fail_fast?: boolean;
    };
    order: readonly [nodes: "nodes", max_workers?: "max_workers", fail_fast?: "fail_fast"];
    value: { readonly [key: string]: unknown };
  };
  /** Runs a nested list, one command after the other. */
  FA_execute_action: {
    args: {
      /** The commands. */
      readonly action_list: NestedList;
      /** Only tell what they would do. Default: false. */
      readonly dry_run?: boolean;
      /** Check all of them before the first runs. Default: false. */
      readonly validate_first?: boolean;
      /** Accepted for older lists; references are always read. Default: false. */
      readonly substitute?: boolean;
    };
    order: readonly [action_list: "action_list", dry_run?: "dry_run", validate_first?: "validate_first", substitute?: "substitute"];
    value: readonly Outcome[];
  };
  /** Runs the list of each JSON file, one file after the other. */
  FA_execute_files: {
    args: {
      /** The files; all are read before the first list runs. */
      readonly execute_files_list: readonly string[];
    };
    order: readonly [execute_files_list: "execute_files_list"];
    value: readonly (readonly Outcome[])[];
  };
  /** Runs a nested list with several commands at once; they must not depend on each other. */
  FA_execute_action_parallel: {
    args: {
      /** The commands. */
      readonly action_list: NestedList;
      /** How many run at once. Default: 4. */
      readonly max_workers?: number;
      /** Only tell what they would do. Default: false. */
      readonly dry_run?: boolean;
    };
    order: readonly [action_list: "action_list", max_workers?: "max_workers", dry_run?: "dry_run"];
    value: readonly Outcome[];
  };
  /** Checks a list without running it; gives the names of its commands. */
  FA_validate: {
    args: {
      /** The commands; those that the caller may not run are refused. */
      readonly action_list: NestedList;
    };
    order: readonly [action_list: "action_list"];
    value: readonly string[];
  };
  /** Reads the references in every text of a value. */
  FA_substitute: {
    args: {
      /** Any value; arguments are read before an action starts, so it arrives expanded. */
      readonly payload: unknown;
    };
    order: readonly [payload: "payload"];
    value: unknown;
  };
  /** Runs one action and, when it succeeded, another; gives the value of the first. */
  FA_callback: {
    args: {
      /** The action to run first. */
      readonly trigger_function_name: string;
      /** The action to run after it. */
      readonly callback_function: string;
      /** Arguments of the second action. Default: null. */
      readonly callback_function_param?: { readonly [key: string]: unknown } | readonly unknown[] | null;
      /** Whether those are named or positional. Default: "kwargs". */
      readonly callback_param_method?: "kwargs" | "args";
      /** Arguments of the first action, by name. Default: {}. */
      readonly trigger_kwargs?: { readonly [key: string]: unknown };
    };
    order: readonly [trigger_function_name: "trigger_function_name", callback_function: "callback_function", callback_function_param?: "callback_function_param", callback_param_method?: "callback_param_method", trigger_kwargs?: "trigger_kwargs"];
    value: unknown;
  };
  /** Names all actions. */
  FA_list_actions: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly string[];
  };
  /** Describes one action: arguments, schema, effects, examples. */
  FA_describe_action: {
    args: {
      /** The name of the action. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: { readonly [key: string]: unknown };
  };
  /** Runs a list once for each item; `${item}` and `${index}` stand for it inside. */
  FA_for_each: {
    args: {
      /** The items. */
      readonly items: readonly unknown[];
      /** The commands to run for each. */
      readonly actions: NestedList;
      /** How many items at once. Default: 1. */
      readonly max_workers?: number;
      /** Begin no further item after one that failed. Default: false. */
      readonly stop_on_error?: boolean;
    };
    order: readonly [items: "items", actions: "actions", max_workers?: "max_workers", stop_on_error?: "stop_on_error"];
    value: readonly RunResult[];
  };
  /** Runs one of two lists, depending on a value. */
  FA_if: {
    args: {
      /** The value to judge, most often a reference: `${results[0].value.missing}`. */
      readonly value: unknown;
      /** What it must be. `empty` is for texts, lists, objects and null; `contains` for texts, lists and the keys of objects; `matches` takes a regular expression (RE2). Default: "true". */
      readonly is?: "true" | "false" | "equals" | "not_equals" | "greater_than" | "at_least" | "less_than" | "at_most" | "empty" | "not_empty" | "contains" | "not_contains" | "matches" | "not_matches";
      /** What it is compared with, where the condition compares. Default: null. */
      readonly other?: unknown | null;
      /** The commands to run when it holds. Default: null. */
      readonly then?: NestedList | null;
      /** The commands to run when it does not. Default: null. */
      readonly else_?: NestedList | null;
    };
    order: readonly [value: "value", is?: "is", other?: "other", then?: "then", else_?: "else_"];
    value: { readonly matched: boolean; readonly results: readonly Outcome[] };
  };
  /** Fails when a value is not as it must be; with `stop_on_error` the rest of the list is skipped then. */
  FA_assert: {
    args: {
      /** The value to judge, most often a reference: `${results[0].value.missing}`. */
      readonly value: unknown;
      /** What it must be. `empty` is for texts, lists, objects and null; `contains` for texts, lists and the keys of objects; `matches` takes a regular expression (RE2). Default: "true". */
      readonly is?: "true" | "false" | "equals" | "not_equals" | "greater_than" | "at_least" | "less_than" | "at_most" | "empty" | "not_empty" | "contains" | "not_contains" | "matches" | "not_matches";
      /** What it is compared with, where the condition compares. Default: null. */
      readonly other?: unknown | null;
      /** What to say when it is not, before the value is told; left out, the condition is told. Default: null. */
      readonly message?: string | null;
    };
    order: readonly [value: "value", is?: "is", other?: "other", message?: "message"];
    value: boolean;
  };
  /** Fails, for a branch that a list must not take. */
  FA_fail: {
    args: {
      /** What to say. */
      readonly message: string;
    };
    order: readonly [message: "message"];
    value: null;
  };
  /** Opens a connection to an FTP server, which is the default of this caller until it is closed or 30 minutes unused. */
  FA_ftp_later_init: {
    args: {
      /** The server. */
      readonly host: string;
      /** The name to log in with. Default: "anonymous". */
      readonly username?: string;
      /** The password to log in with. Default: "". */
      readonly password?: string;
      /** The port. Default: 21. */
      readonly port?: number;
      /** Whether the connection is encrypted (explicit TLS). Default: false. */
      readonly tls?: boolean;
      /** Seconds to wait for an answer. Default: 30. */
      readonly timeout?: number;
      /** Whether the server opens the port for data. Default: true. */
      readonly passive?: boolean;
    };
    order: readonly [host: "host", username?: "username", password?: "password", port?: "port", tls?: "tls", timeout?: "timeout", passive?: "passive"];
    value: null;
  };
  /** Closes the connection to an FTP server that this caller has opened; none need be open. */
  FA_ftp_close: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: boolean;
  };
  /** Uploads one file to an FTP server, making the directories that are missing. */
  FA_ftp_upload_file: {
    args: {
      /** The file to upload. */
      readonly file_path: string;
      /** Where it goes. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_ftp_later_init opened, or [connections.ftp]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [file_path: "file_path", remote_path: "remote_path", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Uploads all files below a directory to an FTP server and gives their paths there. */
  FA_ftp_upload_dir: {
    args: {
      /** The directory whose files are uploaded, with all below. */
      readonly dir_path: string;
      /** The directory that the files go below. */
      readonly remote_prefix: string;
      /** The name of a connection of [connections]; null: what FA_ftp_later_init opened, or [connections.ftp]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** Patterns of the files that take part; none means all. Default: []. */
      readonly include?: readonly string[];
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [dir_path: "dir_path", remote_prefix: "remote_prefix", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", include?: "include", exclude?: "exclude", progress_name?: "progress_name"];
    value: readonly string[];
  };
  /** Downloads one file from an FTP server. */
  FA_ftp_download_file: {
    args: {
      /** The file. */
      readonly remote_path: string;
      /** Where the file goes; a directory keeps the name. */
      readonly target_path: string;
      /** The name of a connection of [connections]; null: what FA_ftp_later_init opened, or [connections.ftp]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [remote_path: "remote_path", target_path: "target_path", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Lists a directory of an FTP server. */
  FA_ftp_list_dir: {
    args: {
      /** The directory. Default: ".". */
      readonly remote_path?: string;
      /** The name of a connection of [connections]; null: what FA_ftp_later_init opened, or [connections.ftp]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path?: "remote_path", connection?: "connection"];
    value: readonly string[];
  };
  /** Deletes one file of an FTP server. */
  FA_ftp_delete_path: {
    args: {
      /** The path. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_ftp_later_init opened, or [connections.ftp]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path: "remote_path", connection?: "connection"];
    value: boolean;
  };
  /** Checks that a URL leads to a public machine, looking up its name, and gives it back. */
  FA_validate_http_url: {
    args: {
      /** The URL to check. */
      readonly url: string;
      /** Accept addresses of private networks and of this machine too. Default: false. */
      readonly allow_private?: boolean;
    };
    order: readonly [url: "url", allow_private?: "allow_private"];
    value: string;
  };
  /** Compares a directory with its manifest again and again and tells people when they differ. */
  FA_integrity_start: {
    args: {
      /** What the monitor is called; no other may have the name. */
      readonly name: string;
      /** The directory. */
      readonly root: string;
      /** The manifest. */
      readonly manifest_path: string;
      /** Seconds between two checks; the first comes after one interval. Default: 60. */
      readonly interval?: number;
      /** Whether files that the manifest does not know count as a change. Default: false. */
      readonly alert_on_extra?: boolean;
      /** Names of the sinks that are told; left out, all of them. Default: null. */
      readonly sinks?: readonly string[] | null;
    };
    order: readonly [name: "name", root: "root", manifest_path: "manifest_path", interval?: "interval", alert_on_extra?: "alert_on_extra", sinks?: "sinks"];
    value: { readonly name: string; readonly root: string; readonly manifest_path: string; readonly interval: number; readonly alert_on_extra: boolean; readonly running: boolean; readonly last_check: string | null; readonly last_summary: { readonly [key: string]: unknown } | null };
  };
  /** Stops and removes a monitor and shows what it found last. */
  FA_integrity_stop: {
    args: {
      /** The name of the monitor. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: { readonly name: string; readonly root: string; readonly manifest_path: string; readonly interval: number; readonly alert_on_extra: boolean; readonly running: boolean; readonly last_check: string | null; readonly last_summary: { readonly [key: string]: unknown } | null };
  };
  /** Lists the monitors and what they found last. */
  FA_integrity_list: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly ({ readonly name: string; readonly root: string; readonly manifest_path: string; readonly interval: number; readonly alert_on_extra: boolean; readonly running: boolean; readonly last_check: string | null; readonly last_summary: { readonly [key: string]: unknown } | null })[];
  };
  /** Compares a directory with its manifest once and tells people when they differ. */
  FA_integrity_check: {
    args: {
      /** The directory. */
      readonly root: string;
      /** The manifest. */
      readonly manifest_path: string;
      /** Whether files that the manifest does not know count as a change. Default: false. */
      readonly alert_on_extra?: boolean;
      /** Names of the sinks that are told; left out, all of them. Default: null. */
      readonly sinks?: readonly string[] | null;
      /** What is not as it should be is told in the value (`report`), or makes the command fail (`fail`). Default: "report". */
      readonly on_mismatch?: "report" | "fail";
    };
    order: readonly [root: "root", manifest_path: "manifest_path", alert_on_extra?: "alert_on_extra", sinks?: "sinks", on_mismatch?: "on_mismatch"];
    value: { readonly matched: readonly string[]; readonly missing: readonly string[]; readonly modified: readonly string[]; readonly extra: readonly string[]; readonly errors: readonly (readonly string[])[]; readonly ok: boolean; readonly error?: string };
  };
  /** Takes a lock by name for a while, or until it is given back. */
  FA_lock_acquire: {
    args: {
      /** The lock. */
      readonly name: string;
      /** Seconds to wait for it; null: as long as it takes; 0: not at all. Default: null. */
      readonly timeout?: number | null;
      /** Seconds after which it is free again; null: only when it is given back. Default: null. */
      readonly ttl?: number | null;
      /** The file of a store that holds the lock; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
      /** Who takes it; who has it already gets it again. Null: somebody new. Default: null. */
      readonly owner?: string | null;
    };
    order: readonly [name: "name", timeout?: "timeout", ttl?: "ttl", db_path?: "db_path", owner?: "owner"];
    value: { readonly name: string; readonly owner: string; readonly expires_at: string | null; readonly fence: number };
  };
  /** Gives a lock back; false where this owner does not hold it. */
  FA_lock_release: {
    args: {
      /** The lock. */
      readonly name: string;
      /** Who holds it, as FA_lock_acquire answered. */
      readonly owner: string;
      /** The file of a store that holds the lock; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [name: "name", owner: "owner", db_path?: "db_path"];
    value: boolean;
  };
  /** Extends a lock that is still held; fails where it was lost. */
  FA_lock_refresh: {
    args: {
      /** The lock. */
      readonly name: string;
      /** Who holds it, as FA_lock_acquire answered. */
      readonly owner: string;
      /** Seconds from now after which it is free again. */
      readonly ttl: number;
      /** The file of a store that holds the lock; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [name: "name", owner: "owner", ttl: "ttl", db_path?: "db_path"];
    value: { readonly name: string; readonly owner: string; readonly expires_at: string | null; readonly fence: number };
  };
  /** Runs a list while holding a lock by name; other lists that name it wait. */
  FA_with_lock: {
    args: {
      /** The lock. */
      readonly name: string;
      /** The commands. */
      readonly actions: NestedList;
      /** Seconds to wait for it; null: as long as it takes; 0: not at all. Default: null. */
      readonly timeout?: number | null;
      /** Seconds the lock outlives a process that died; it is renewed while the list runs. Null: 30. Default: null. */
      readonly ttl?: number | null;
      /** The file of a store that holds the lock; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [name: "name", actions: "actions", timeout?: "timeout", ttl?: "ttl", db_path?: "db_path"];
    value: RunResult;
  };
  /** Runs a list while holding the exclusive advisory lock of a file, which other programs can take with flock too. */
  FA_with_file_lock: {
    args: {
      /** The file; created empty if missing, and left there. */
      readonly path: string;
      /** The commands. */
      readonly actions: NestedList;
      /** Seconds to wait for it; null: as long as it takes; 0: not at all. Default: null. */
      readonly timeout?: number | null;
    };
    order: readonly [path: "path", actions: "actions", timeout?: "timeout"];
    value: RunResult;
  };
  /** Writes down the size and the digest of every file below a directory. */
  FA_write_manifest: {
    args: {
      /** The directory; links are not followed and not listed. */
      readonly root: string;
      /** Where the manifest goes; inside the directory it leaves itself out. */
      readonly manifest_path: string;
      /** The digest: any of OpenSSL, blake3, xxh3, xxh128 or crc32c. Default: "sha256". */
      readonly algorithm?: string;
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** Write down when each file was changed too, so that a later check can go by it. Default: false. */
      readonly times?: boolean;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [root: "root", manifest_path: "manifest_path", algorithm?: "algorithm", exclude?: "exclude", times?: "times", on_unreadable?: "on_unreadable"];
    value: { readonly version: number; readonly algorithm: string; readonly root: string; readonly created_at: string; readonly files: { readonly [key: string]: { readonly size: number; readonly checksum: string; readonly mtime_ms?: number } } };
  };
  /** Compares a directory with its manifest. */
  FA_verify_manifest: {
    args: {
      /** The directory; it may have moved since. */
      readonly root: string;
      /** The manifest. */
      readonly manifest_path: string;
      /** Check one part of all files only: `3/30` is the third of thirty; the parts never overlap. Default: null. */
      readonly subset?: string | null;
      /** Take a file of the same size and time for the same; the manifest must have been written with `times`. Default: false. */
      readonly trust_times?: boolean;
      /** What is not as it should be is told in the value (`report`), or makes the command fail (`fail`). Default: "report". */
      readonly on_mismatch?: "report" | "fail";
    };
    order: readonly [root: "root", manifest_path: "manifest_path", subset?: "subset", trust_times?: "trust_times", on_mismatch?: "on_mismatch"];
    value: { readonly matched: readonly string[]; readonly missing: readonly string[]; readonly modified: readonly string[]; readonly extra: readonly string[]; readonly errors: readonly (readonly string[])[]; readonly ok: boolean };
  };
  /** Gives the current metrics in the text format that Prometheus reads. */
  FA_metrics_render: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: string;
  };
  /** Tells the MIME type of a file by its name, else by its first bytes. */
  FA_detect_mime: {
    args: {
      /** The file; it need not exist when its name tells enough. */
      readonly path: string;
    };
    order: readonly [path: "path"];
    value: string;
  };
  /** Tells the MIME type of bytes by their signature. */
  FA_detect_mime_bytes: {
    args: {
      /** The first bytes of the content, or all of them. */
      readonly data: string | { readonly base64: string };
    };
    order: readonly [data: "data"];
    value: string;
  };
  /** Sends a message to every sink and tells what became of it at each. */
  FA_notify_send: {
    args: {
      /** What it is about, in one line. */
      readonly subject: string;
      /** The message itself. Default: "". */
      readonly body?: string;
      /** How important it is. Default: "info". */
      readonly level?: "info" | "warning" | "error";
      /** Names of the sinks that get it; left out, all of them. Default: null. */
      readonly sinks?: readonly string[] | null;
    };
    order: readonly [subject: "subject", body?: "body", level?: "level", sinks?: "sinks"];
    value: { readonly [key: string]: string };
  };
  /** Lists the sinks without their secrets. */
  FA_notify_list: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly ({ readonly [key: string]: unknown })[];
  };
  /** Adds a sink, or replaces one that was added, until the service stops; those of the configuration stay. */
  FA_notify_register: {
    args: {
      /** The sink, with the keys of `[[notify.sinks]]`; private networks are opened by the configuration only. */
      readonly sink: { readonly [key: string]: unknown };
    };
    order: readonly [sink: "sink"];
    value: { readonly [key: string]: unknown };
  };
  /** Removes a sink; tells whether it was there. */
  FA_notify_unregister: {
    args: {
      /** The name of the sink. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: boolean;
  };
  /** Removes all sinks and forgets which messages were sent lately; tells how many there were. */
  FA_notify_unregister_all: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: number;
  };
  /** Resolves a path below a root and refuses everything that leaves it. */
  FA_safe_join: {
    args: {
      /** The directory that must not be left. */
      readonly root: string;
      /** The path to resolve. A `..` in it is refused, wherever it leads. */
      readonly user_path: string;
    };
    order: readonly [root: "root", user_path: "user_path"];
    value: string;
  };
  /** Tells whether a path ends inside a root, links followed. */
  FA_is_within: {
    args: {
      /** The directory. */
      readonly root: string;
      /** The path to judge, relative to the root or absolute. */
      readonly user_path: string;
    };
    order: readonly [root: "root", user_path: "user_path"];
    value: boolean;
  };
  /** Lists the work under way and recently finished. */
  FA_progress_list: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly ({ readonly name: string; readonly run_id: string | null; readonly action: string | null; readonly status: "running" | "done" | "failed" | "cancelled"; readonly transferred: number; readonly total: number | null; readonly unit: "bytes" | "items"; readonly rate: number; readonly eta_s: number | null; readonly started_at: string; readonly finished_at: string | null })[];
  };
  /** Asks a piece of work to stop; false when the name is unknown. */
  FA_progress_cancel: {
    args: {
      /** The name it is tracked under. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: boolean;
  };
  /** Forgets all finished work; tells how many entries went. */
  FA_progress_clear: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: number;
  };
  /** Tells how far one piece of work is, or null when the name is unknown. */
  FA_progress_get: {
    args: {
      /** The name it is tracked under. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: { readonly name: string; readonly run_id: string | null; readonly action: string | null; readonly status: "running" | "done" | "failed" | "cancelled"; readonly transferred: number; readonly total: number | null; readonly unit: "bytes" | "items"; readonly rate: number; readonly eta_s: number | null; readonly started_at: string; readonly finished_at: string | null } | null;
  };
  /** Drops one entry from the list; tells whether it was there. */
  FA_progress_forget: {
    args: {
      /** The name it is tracked under. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: boolean;
  };
  /** Writes a starter project: two lists and two scripts that run them; refuses to replace files. */
  FA_create_project_dir: {
    args: {
      /** Where the project goes; by default the working directory. Default: null. */
      readonly project_path?: string | null;
      /** The folder that is made there. Default: "factotum". */
      readonly parent_name?: string;
    };
    order: readonly [project_path?: "project_path", parent_name?: "parent_name"];
    value: null;
  };
  /** Reads a list from a JSON file. */
  FA_read_action_json: {
    args: {
      /** The file. */
      readonly json_file_path: string;
    };
    order: readonly [json_file_path: "json_file_path"];
    value: unknown;
  };
  /** Writes a list to a JSON file, indented by four. */
  FA_write_action_json: {
    args: {
      /** The file; its directory must exist. */
      readonly json_save_path: string;
      /** The list, or any other JSON value. */
      readonly action_json: unknown;
    };
    order: readonly [json_save_path: "json_save_path", action_json: "action_json"];
    value: null;
  };
  /** Puts a list on the durable queue and gives the number of the item. */
  FA_queue_enqueue: {
    args: {
      /** The list; its references are read when it runs. */
      readonly action: NestedList;
      /** Higher goes first. Default: 0. */
      readonly priority?: number;
      /** When it is due, in seconds since 1970; null: at once. Default: null. */
      readonly run_at?: number | null;
      /** The file of a store that holds the queue; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [action: "action", priority?: "priority", run_at?: "run_at", db_path?: "db_path"];
    value: number;
  };
  /** Claims the next due item, highest priority first, then oldest; null where none is due. */
  FA_queue_dequeue: {
    args: {
      /** The file of a store that holds the queue; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
      /** Seconds after which an item that was neither acknowledged nor given back is free again. Default: 300. */
      readonly lease_s?: number;
    };
    order: readonly [db_path?: "db_path", lease_s?: "lease_s"];
    value: { readonly id: number; readonly action: unknown; readonly attempts: number; readonly enqueued_at: string } | null;
  };
  /** Finishes a claimed item. */
  FA_queue_ack: {
    args: {
      /** The number of the item, as FA_queue_dequeue gave it. */
      readonly item_id: number;
      /** The file of a store that holds the queue; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [item_id: "item_id", db_path?: "db_path"];
    value: null;
  };
  /** Gives a claimed item back, or buries it among the dead letters. */
  FA_queue_nack: {
    args: {
      /** The number of the item, as FA_queue_dequeue gave it. */
      readonly item_id: number;
      /** Give it back; otherwise it is buried. Default: true. */
      readonly requeue?: boolean;
      /** Why, for whoever looks at it later. Default: "". */
      readonly reason?: string;
      /** Seconds until it is due again. Default: 0. */
      readonly delay?: number;
      /** The file of a store that holds the queue; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [item_id: "item_id", requeue?: "requeue", reason?: "reason", delay?: "delay", db_path?: "db_path"];
    value: null;
  };
  /** Counts the items that wait, are claimed or were given up. */
  FA_queue_size: {
    args: {
      /** Which items. Default: "ready". */
      readonly status?: "ready" | "inflight" | "dead";
      /** The file of a store that holds the queue; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [status?: "status", db_path?: "db_path"];
    value: number;
  };
  /** Deletes all items, whatever their state; tells how many. */
  FA_queue_purge: {
    args: {
      /** The file of a store that holds the queue; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [db_path?: "db_path"];
    value: number;
  };
  /** Lists the items that were buried or given up. */
  FA_queue_dead_letters: {
    args: {
      /** The file of a store that holds the queue; null: the store of the service. Default: null. */
      readonly db_path?: string | null;
    };
    order: readonly [db_path?: "db_path"];
    value: readonly ({ readonly id: number; readonly action: unknown; readonly attempts: number; readonly enqueued_at: string })[];
  };
  /** Runs a list, repeating a command that fails for a passing reason: connection, timeout, busy device. */
  FA_with_retry: {
    args: {
      /** The commands. */
      readonly actions: NestedList;
      /** How often each command is tried in all. Default: 3. */
      readonly max_attempts?: number;
      /** Longest wait in seconds before the second try; doubled for each further one, of which a random share is waited. Default: 0.5. */
      readonly backoff_base?: number;
      /** No wait is longer than this. Default: 8. */
      readonly backoff_cap?: number;
    };
    order: readonly [actions: "actions", max_attempts?: "max_attempts", backoff_base?: "backoff_base", backoff_cap?: "backoff_cap"];
    value: RunResult;
  };
  /** Runs a list under a budget of bytes written and seconds taken. */
  FA_with_quota: {
    args: {
      /** The commands. */
      readonly actions: NestedList;
      /** Most bytes written by all of them together; 0 or less: no limit. Default: 0. */
      readonly max_bytes?: number;
      /** Most seconds for all of them together; 0 or less: no limit. Default: 0. */
      readonly max_seconds?: number;
    };
    order: readonly [actions: "actions", max_bytes?: "max_bytes", max_seconds?: "max_seconds"];
    value: RunResult;
  };
  /** Runs a list and stops it after some seconds. */
  FA_with_timeout: {
    args: {
      /** The commands. */
      readonly actions: NestedList;
      /** How long all of them may take together. */
      readonly seconds: number;
    };
    order: readonly [actions: "actions", seconds: "seconds"];
    value: RunResult;
  };
  /** Runs a list after taking tokens from a bucket, so that it does not run too often. */
  FA_with_rate_limit: {
    args: {
      /** The bucket; all lists that name it share its tokens. */
      readonly name: string;
      /** The commands. */
      readonly actions: NestedList;
      /** Tokens that come back each second. Default: 1. */
      readonly rate?: number;
      /** Most tokens the bucket holds; null: as many as `rate`. Default: null. */
      readonly burst?: number | null;
      /** Tokens this list takes. Default: 1. */
      readonly tokens?: number;
      /** Seconds to wait for tokens; null: as long as it takes; 0: not at all. Default: null. */
      readonly timeout?: number | null;
    };
    order: readonly [name: "name", actions: "actions", rate?: "rate", burst?: "burst", tokens?: "tokens", timeout?: "timeout"];
    value: RunResult;
  };
  /** Runs a list unless it failed too often lately; then it is refused for a while, until a single run has succeeded again. */
  FA_with_circuit_breaker: {
    args: {
      /** The breaker; all lists that name it share its state. */
      readonly name: string;
      /** The commands. */
      readonly actions: NestedList;
      /** Failures in a row that open the breaker. Default: 5. */
      readonly failure_threshold?: number;
      /** Seconds until one run may try again. Default: 30. */
      readonly recovery_timeout?: number;
    };
    order: readonly [name: "name", actions: "actions", failure_threshold?: "failure_threshold", recovery_timeout?: "recovery_timeout"];
    value: RunResult;
  };
  /** Tells whether a breaker is closed (all goes through), open (nothing does) or half open (one run may try). */
  FA_circuit_state: {
    args: {
      /** The breaker; all lists that name it share its state. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: "closed" | "open" | "half_open";
  };
  /** Closes a breaker and forgets its failures. */
  FA_circuit_reset: {
    args: {
      /** The breaker; all lists that name it share its state. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: null;
  };
  /** Lists the limits that hold somebody back or soon will: buckets that are not full, breakers with failures, places that are taken. */
  FA_limits_list: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly ({ readonly kind: "rate_limit" | "circuit_breaker" | "bulkhead"; readonly name: string; readonly tokens?: number; readonly state?: "closed" | "open" | "half_open"; readonly failures?: number; readonly running?: number; readonly waiting?: number })[];
  };
  /** Keeps the newest backup of each of the last days, weeks, months and years, and deletes the others. */
  FA_rotate_backups: {
    args: {
      /** The directory of the backups; what is in directories below is left alone. */
      readonly directory: string;
      /** What names of backups look like: `*.zip`. Default: "*". */
      readonly pattern?: string;
      /** For how many days that have backups to keep the newest. Default: 7. */
      readonly keep_daily?: number;
      /** For how many weeks, from Monday to Sunday. Default: 4. */
      readonly keep_weekly?: number;
      /** For how many months. Default: 12. */
      readonly keep_monthly?: number;
      /** For how many years. Default: 0. */
      readonly keep_yearly?: number;
      /** Only tell what would be kept, and why in the note, and what deleted. Default: false. */
      readonly dry_run?: boolean;
      /** How many of the newest to keep, whenever they were made. Default: 0. */
      readonly keep_last?: number;
    };
    order: readonly [directory: "directory", pattern?: "pattern", keep_daily?: "keep_daily", keep_weekly?: "keep_weekly", keep_monthly?: "keep_monthly", keep_yearly?: "keep_yearly", dry_run?: "dry_run", keep_last?: "keep_last"];
    value: { readonly kept: readonly string[]; readonly deleted: readonly string[]; readonly dry_run: boolean };
  };
  /** Opens a connection to S3, which is the default of this caller until it is closed or 30 minutes unused. */
  FA_s3_later_init: {
    args: {
      /** The access key; null: the owner’s usual credential chain. Default: null. */
      readonly aws_access_key_id?: string | null;
      /** Its secret. Default: null. */
      readonly aws_secret_access_key?: string | null;
      /** The region; null: what the server tells. Default: null. */
      readonly region_name?: string | null;
      /** The server, where it is not Amazon. Default: null. */
      readonly endpoint_url?: string | null;
    };
    order: readonly [aws_access_key_id?: "aws_access_key_id", aws_secret_access_key?: "aws_secret_access_key", region_name?: "region_name", endpoint_url?: "endpoint_url"];
    value: null;
  };
  /** Uploads one file to S3. */
  FA_s3_upload_file: {
    args: {
      /** The file to upload. */
      readonly file_path: string;
      /** The bucket. */
      readonly bucket: string;
      /** What it is called there. */
      readonly key: string;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
      /** The name of a connection of [connections]; null: what FA_s3_later_init opened, or [connections.s3]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
    };
    order: readonly [file_path: "file_path", bucket: "bucket", key: "key", progress_name?: "progress_name", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve"];
    value: boolean;
  };
  /** Uploads all files below a directory to S3 and gives what they are called there. */
  FA_s3_upload_dir: {
    args: {
      /** The directory whose files are uploaded, with all below. */
      readonly dir_path: string;
      /** The bucket. */
      readonly bucket: string;
      /** What the names begin with; a slash is put between. Default: "". */
      readonly key_prefix?: string;
      /** The name of a connection of [connections]; null: what FA_s3_later_init opened, or [connections.s3]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** Patterns of the files that take part; none means all. Default: []. */
      readonly include?: readonly string[];
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [dir_path: "dir_path", bucket: "bucket", key_prefix?: "key_prefix", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", include?: "include", exclude?: "exclude", progress_name?: "progress_name"];
    value: readonly string[];
  };
  /** Downloads one object of S3. */
  FA_s3_download_file: {
    args: {
      /** The bucket. */
      readonly bucket: string;
      /** The object. */
      readonly key: string;
      /** Where the file goes; a directory keeps the name. */
      readonly target_path: string;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
      /** The name of a connection of [connections]; null: what FA_s3_later_init opened, or [connections.s3]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
    };
    order: readonly [bucket: "bucket", key: "key", target_path: "target_path", progress_name?: "progress_name", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve"];
    value: boolean;
  };
  /** Deletes one object of S3. */
  FA_s3_delete_object: {
    args: {
      /** The bucket. */
      readonly bucket: string;
      /** The object. */
      readonly key: string;
      /** The name of a connection of [connections]; null: what FA_s3_later_init opened, or [connections.s3]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [bucket: "bucket", key: "key", connection?: "connection"];
    value: boolean;
  };
  /** Lists the names of what is in a bucket of S3, all of them. */
  FA_s3_list_bucket: {
    args: {
      /** The bucket. */
      readonly bucket: string;
      /** Only names that begin so. Default: "". */
      readonly prefix?: string;
      /** The name of a connection of [connections]; null: what FA_s3_later_init opened, or [connections.s3]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [bucket: "bucket", prefix?: "prefix", connection?: "connection"];
    value: readonly string[];
  };
  /** Stores a list that runs again and again at set times. */
  FA_schedule_add: {
    args: {
      /** What the job is called; no other may have the name. */
      readonly name: string;
      /** When it runs: minute, hour, day of month, month, weekday. */
      readonly cron_expression: string;
      /** The commands; references inside may use ${schedule.name} and ${schedule.tick}. */
      readonly action_list: NestedList;
      /** Run although the last run still goes on; `overlap` says more. Default: false. */
      readonly allow_overlap?: boolean;
      /** The time zone of the expression, such as Europe/Vienna; null: that of the machine. Default: null. */
      readonly time_zone?: string | null;
      /** What happens when it is due while it still runs; null: `parallel` or `skip`, as `allow_overlap` says. Default: null. */
      readonly overlap?: "skip" | "queue_one" | "cancel_previous" | "parallel" | null;
      /** Which missed times are made up for after a pause. Default: "none". */
      readonly catch_up?: "none" | "latest" | "all";
      /** How many seconds back missed times count. Default: 86400. */
      readonly catch_up_window_s?: number;
      /** How many missed times are made up for at most. Default: 10. */
      readonly catch_up_max?: number;
      /** A start is moved by up to this many seconds, so that many jobs do not start at once. Default: 0. */
      readonly jitter_s?: number;
      /** A run that has not started this many seconds after its time is dropped and reported. Default: null. */
      readonly deadline_s?: number | null;
      /** A run that takes more seconds is cancelled and reported. Default: null. */
      readonly max_duration_s?: number | null;
      /** Reported when no run has succeeded for this many seconds. Default: null. */
      readonly expect_every_s?: number | null;
    };
    order: readonly [name: "name", cron_expression: "cron_expression", action_list: "action_list", allow_overlap?: "allow_overlap", time_zone?: "time_zone", overlap?: "overlap", catch_up?: "catch_up", catch_up_window_s?: "catch_up_window_s", catch_up_max?: "catch_up_max", jitter_s?: "jitter_s", deadline_s?: "deadline_s", max_duration_s?: "max_duration_s", expect_every_s?: "expect_every_s"];
    value: { readonly name: string; readonly cron: string; readonly actions: number; readonly last_run: string | null; readonly runs: number; readonly allow_overlap: boolean; readonly running: boolean; readonly skipped: number; readonly time_zone: string; readonly overlap: "skip" | "queue_one" | "cancel_previous" | "parallel"; readonly enabled: boolean; readonly next_run: string | null };
  };
  /** Removes a job and shows what it was. */
  FA_schedule_remove: {
    args: {
      /** The name of the job. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: { readonly name: string; readonly cron: string; readonly actions: number; readonly last_run: string | null; readonly runs: number; readonly allow_overlap: boolean; readonly running: boolean; readonly skipped: number; readonly time_zone: string; readonly overlap: "skip" | "queue_one" | "cancel_previous" | "parallel"; readonly enabled: boolean; readonly next_run: string | null };
  };
  /** Removes all jobs but those of the configuration, and shows what they were. */
  FA_schedule_remove_all: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly ({ readonly name: string; readonly cron: string; readonly actions: number; readonly last_run: string | null; readonly runs: number; readonly allow_overlap: boolean; readonly running: boolean; readonly skipped: number; readonly time_zone: string; readonly overlap: "skip" | "queue_one" | "cancel_previous" | "parallel"; readonly enabled: boolean; readonly next_run: string | null })[];
  };
  /** Lists the jobs with their counts and next times. */
  FA_schedule_list: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly ({ readonly name: string; readonly cron: string; readonly actions: number; readonly last_run: string | null; readonly runs: number; readonly allow_overlap: boolean; readonly running: boolean; readonly skipped: number; readonly time_zone: string; readonly overlap: "skip" | "queue_one" | "cancel_previous" | "parallel"; readonly enabled: boolean; readonly next_run: string | null })[];
  };
  /** Tells when a job runs next. */
  FA_schedule_next: {
    args: {
      /** The name of the job. */
      readonly name: string;
      /** How many times to tell. Default: 5. */
      readonly count?: number;
    };
    order: readonly [name: "name", count?: "count"];
    value: readonly string[];
  };
  /** Keeps a job from starting until it is resumed, also after a restart. */
  FA_schedule_pause: {
    args: {
      /** The name of the job. */
      readonly name: string;
      /** Wait until no run of the job goes on. Default: false. */
      readonly drain?: boolean;
    };
    order: readonly [name: "name", drain?: "drain"];
    value: { readonly name: string; readonly cron: string; readonly actions: number; readonly last_run: string | null; readonly runs: number; readonly allow_overlap: boolean; readonly running: boolean; readonly skipped: number; readonly time_zone: string; readonly overlap: "skip" | "queue_one" | "cancel_previous" | "parallel"; readonly enabled: boolean; readonly next_run: string | null };
  };
  /** Lets a paused job start again; times that passed meanwhile are not made up for. */
  FA_schedule_resume: {
    args: {
      /** The name of the job. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: { readonly name: string; readonly cron: string; readonly actions: number; readonly last_run: string | null; readonly runs: number; readonly allow_overlap: boolean; readonly running: boolean; readonly skipped: number; readonly time_zone: string; readonly overlap: "skip" | "queue_one" | "cancel_previous" | "parallel"; readonly enabled: boolean; readonly next_run: string | null };
  };
  /** Tells whether a cron expression fires at a minute. */
  FA_cron_match: {
    args: {
      /** Minute, hour, day of month, month, weekday. */
      readonly cron_expression: string;
      /** The minute, such as 2026-03-04T05:06 as clocks show it, or with Z or +01:00 as an instant. */
      readonly moment: string;
      /** The time zone in which an instant is looked at; null: that of the machine. Default: null. */
      readonly time_zone?: string | null;
    };
    order: readonly [cron_expression: "cron_expression", moment: "moment", time_zone?: "time_zone"];
    value: boolean;
  };
  /** Finds files below a directory by their names. */
  FA_fast_find: {
    args: {
      /** The directory to search, at every depth; one that is missing holds nothing. Links are not entered. */
      readonly root: string;
      /** What names look like, in any case: `*.txt`, `[a-c]?.{md,json}`. With a `/` it is for the path below the root: `src/**\/*.ts`. Default: "*". */
      readonly pattern?: string;
      /** How many to give at most, the first in the order of paths. Default: null. */
      readonly limit?: number | null;
      /** Leave out directories, links and special files. Default: true. */
      readonly files_only?: boolean;
      /** Ask the search index of the system where it is up to date. Default: true. */
      readonly use_index?: boolean;
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** Go on behind an earlier answer that was cut: the cursor in its note. Default: null. */
      readonly cursor?: string | null;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [root: "root", pattern?: "pattern", limit?: "limit", files_only?: "files_only", use_index?: "use_index", exclude?: "exclude", cursor?: "cursor", on_unreadable?: "on_unreadable"];
    value: readonly string[];
  };
  /** Finds lines of files below a directory that hold a text or match a regular expression. */
  FA_grep: {
    args: {
      /** The directory to search, at every depth. Links are not followed. */
      readonly root: string;
      /** The text to look for in each line. */
      readonly pattern: string;
      /** Only files that look like this: `*.ts`, or with a `/` for the path below the root: `src/**\/*.ts`. Default: null. */
      readonly glob?: string | null;
      /** The pattern is a regular expression (RE2: no look-around, no references back). Default: false. */
      readonly regex?: boolean;
      /** Take letters in either case. Default: false. */
      readonly ignore_case?: boolean;
      /** How many lines to give at most, the first in the order of paths. Default: 1000. */
      readonly max_matches?: number;
      /** Longer lines are cut after so many characters. Default: 4096. */
      readonly max_line_len?: number;
      /** How many lines before each match to give with it. Default: 0. */
      readonly before?: number;
      /** How many lines after each match to give with it. Default: 0. */
      readonly after?: number;
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** Go on behind an earlier answer that was cut: the cursor in its note. Default: null. */
      readonly cursor?: string | null;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [root: "root", pattern: "pattern", glob?: "glob", regex?: "regex", ignore_case?: "ignore_case", max_matches?: "max_matches", max_line_len?: "max_line_len", before?: "before", after?: "after", exclude?: "exclude", cursor?: "cursor", on_unreadable?: "on_unreadable"];
    value: readonly ({ readonly path: string; readonly line: number; readonly text: string; readonly before?: readonly string[]; readonly after?: readonly string[] })[];
  };
  /** Another name of FA_grep. */
  FA_grep_files: ActionMap["FA_grep"];
  /** Names the search index of this system that FA_fast_find can ask, or null where there is none. */
  FA_has_os_index: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: string | null;
  };
  /** Opens a connection to an SFTP server, which is the default of this caller until it is closed or 30 minutes unused. */
  FA_sftp_later_init: {
    args: {
      /** The server. */
      readonly host: string;
      /** The name to log in with. */
      readonly username: string;
      /** The password to log in with. Default: null. */
      readonly password?: string | null;
      /** The private key to log in with. Default: null. */
      readonly key_filename?: string | null;
      /** The port. Default: 22. */
      readonly port?: number;
      /** The file of known host keys; null: that of the owner. A server that is not in it is refused. Default: null. */
      readonly known_hosts?: string | null;
      /** Seconds to wait for an answer. Default: 15. */
      readonly timeout?: number;
      /** What opens the private key, where it is encrypted. Default: null. */
      readonly passphrase?: string | null;
    };
    order: readonly [host: "host", username: "username", password?: "password", key_filename?: "key_filename", port?: "port", known_hosts?: "known_hosts", timeout?: "timeout", passphrase?: "passphrase"];
    value: null;
  };
  /** Closes the connection to an SFTP server that this caller has opened; none need be open. */
  FA_sftp_close: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: boolean;
  };
  /** Uploads one file to an SFTP server, making the directories that are missing. */
  FA_sftp_upload_file: {
    args: {
      /** The file to upload. */
      readonly file_path: string;
      /** Where it goes. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_sftp_later_init opened, or [connections.sftp]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [file_path: "file_path", remote_path: "remote_path", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Uploads all files below a directory to an SFTP server and gives their paths there. */
  FA_sftp_upload_dir: {
    args: {
      /** The directory whose files are uploaded, with all below. */
      readonly dir_path: string;
      /** The directory that the files go below. */
      readonly remote_prefix: string;
      /** The name of a connection of [connections]; null: what FA_sftp_later_init opened, or [connections.sftp]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** Patterns of the files that take part; none means all. Default: []. */
      readonly include?: readonly string[];
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [dir_path: "dir_path", remote_prefix: "remote_prefix", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", include?: "include", exclude?: "exclude", progress_name?: "progress_name"];
    value: readonly string[];
  };
  /** Downloads one file from an SFTP server. */
  FA_sftp_download_file: {
    args: {
      /** The file. */
      readonly remote_path: string;
      /** Where the file goes; a directory keeps the name. */
      readonly target_path: string;
      /** The name of a connection of [connections]; null: what FA_sftp_later_init opened, or [connections.sftp]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [remote_path: "remote_path", target_path: "target_path", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Lists a directory of an SFTP server. */
  FA_sftp_list_dir: {
    args: {
      /** The directory. Default: ".". */
      readonly remote_path?: string;
      /** The name of a connection of [connections]; null: what FA_sftp_later_init opened, or [connections.sftp]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path?: "remote_path", connection?: "connection"];
    value: readonly string[];
  };
  /** Deletes one file of an SFTP server. */
  FA_sftp_delete_path: {
    args: {
      /** The path. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_sftp_later_init opened, or [connections.sftp]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path: "remote_path", connection?: "connection"];
    value: boolean;
  };
  /** Runs a program from a list of arguments, without a shell, and gives its exit code and output. */
  FA_run_shell: {
    args: {
      /** The program and its arguments, each handed over as it is. */
      readonly argv: readonly string[];
      /** Seconds after which the program is ended, with everything it has started. Default: 60. */
      readonly timeout?: number;
      /** The directory to run it in; without one, the working directory of the run. Default: null. */
      readonly cwd?: string | null;
      /** The whole environment of the program, instead of the inherited one. Default: null. */
      readonly env?: { readonly [key: string]: string } | null;
      /** Fail when the program ends with a code other than 0 or by a signal. Default: true. */
      readonly check?: boolean;
      /** Keep what it writes, up to 10 MiB of each output; otherwise both texts are empty. Default: true. */
      readonly capture_output?: boolean;
    };
    order: readonly [argv: "argv", timeout?: "timeout", cwd?: "cwd", env?: "env", check?: "check", capture_output?: "capture_output"];
    value: { readonly returncode: number; readonly stdout: string; readonly stderr: string; readonly signal?: string; readonly truncated?: boolean };
  };
  /** Opens a connection to an SMB share, which is the default of this caller until it is closed or 30 minutes unused. */
  FA_smb_later_init: {
    args: {
      /** The server. */
      readonly server: string;
      /** The share. */
      readonly share: string;
      /** The name to log in with: `user`, `DOMAIN\user` or `user@domain`. Default: null. */
      readonly username?: string | null;
      /** The password to log in with. Default: null. */
      readonly password?: string | null;
      /** The port. Default: 445. */
      readonly port?: number;
      /** Whether the connection must be encrypted; one that is not is signed. Default: true. */
      readonly encrypt?: boolean;
      /** Seconds to wait for an answer. Default: 30. */
      readonly connection_timeout?: number;
    };
    order: readonly [server: "server", share: "share", username?: "username", password?: "password", port?: "port", encrypt?: "encrypt", connection_timeout?: "connection_timeout"];
    value: null;
  };
  /** Tells whether something is at a path of an SMB share. */
  FA_smb_exists: {
    args: {
      /** The path. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_smb_later_init opened, or [connections.smb]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path: "remote_path", connection?: "connection"];
    value: boolean;
  };
  /** Uploads one file to an SMB share, making the directories that are missing. */
  FA_smb_upload_file: {
    args: {
      /** The file to upload. */
      readonly file_path: string;
      /** Where it goes. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_smb_later_init opened, or [connections.smb]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [file_path: "file_path", remote_path: "remote_path", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Uploads all files below a directory to an SMB share and gives their paths there. */
  FA_smb_upload_dir: {
    args: {
      /** The directory whose files are uploaded, with all below. */
      readonly dir_path: string;
      /** The directory that the files go below. Default: "". */
      readonly remote_prefix?: string;
      /** The name of a connection of [connections]; null: what FA_smb_later_init opened, or [connections.smb]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** Patterns of the files that take part; none means all. Default: []. */
      readonly include?: readonly string[];
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [dir_path: "dir_path", remote_prefix?: "remote_prefix", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", include?: "include", exclude?: "exclude", progress_name?: "progress_name"];
    value: readonly string[];
  };
  /** Downloads one file from an SMB share. */
  FA_smb_download_file: {
    args: {
      /** The file. */
      readonly remote_path: string;
      /** Where the file goes; a directory keeps the name. */
      readonly target_path: string;
      /** The name of a connection of [connections]; null: what FA_smb_later_init opened, or [connections.smb]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [remote_path: "remote_path", target_path: "target_path", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Lists a directory of an SMB share. */
  FA_smb_list_dir: {
    args: {
      /** The directory. Default: "". */
      readonly remote_path?: string;
      /** The name of a connection of [connections]; null: what FA_smb_later_init opened, or [connections.smb]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path?: "remote_path", connection?: "connection"];
    value: readonly ({ readonly name: string; readonly is_dir: boolean; readonly size: number })[];
  };
  /** Deletes one file of an SMB share. */
  FA_smb_delete_path: {
    args: {
      /** The path. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_smb_later_init opened, or [connections.smb]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path: "remote_path", connection?: "connection"];
    value: boolean;
  };
  /** Makes a directory on an SMB share, with those that are missing above it. */
  FA_smb_mkdir: {
    args: {
      /** The path. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_smb_later_init opened, or [connections.smb]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path: "remote_path", connection?: "connection"];
    value: boolean;
  };
  /** Removes an empty directory of an SMB share. */
  FA_smb_rmdir: {
    args: {
      /** The path. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_smb_later_init opened, or [connections.smb]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path: "remote_path", connection?: "connection"];
    value: boolean;
  };
  /** Closes the connection to an SMB share that this caller has opened; none need be open. */
  FA_smb_close: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: boolean;
  };
  /** Makes a directory tree like another one, copying only what is new or changed. */
  FA_sync_dir: {
    args: {
      /** The tree to copy from. */
      readonly src: string;
      /** The tree to make like it; made when missing. */
      readonly dst: string;
      /** Files are the same when size and time are (`size_mtime`), or when their content is (`checksum`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum";
      /** Delete what is only at the target. Default: false. */
      readonly delete?: boolean;
      /** Change nothing, only tell what would be done. Default: false. */
      readonly dry_run?: boolean;
      /** Times this many seconds apart count as the same; null: what both file systems can tell decides. Default: null. */
      readonly tolerance_s?: number | null;
      /** Up to this many files are deleted, whatever their share. Default: 50. */
      readonly max_delete?: number;
      /** More than `max_delete` files are deleted only up to this share of the files at the target. Default: 0.1. */
      readonly max_delete_share?: number;
      /** Throw what is deleted into the trash. Default: false. */
      readonly trash?: boolean;
      /** Patterns of what is left out on both sides, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** How many names each list of the answer holds at most; the totals count all. Default: 10000. */
      readonly max_listed?: number;
      /** What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`). Default: "fail". */
      readonly on_unreadable?: "fail" | "skip";
    };
    order: readonly [src: "src", dst: "dst", compare?: "compare", delete_?: "delete", dry_run?: "dry_run", tolerance_s?: "tolerance_s", max_delete?: "max_delete", max_delete_share?: "max_delete_share", trash?: "trash", exclude?: "exclude", max_listed?: "max_listed", on_unreadable?: "on_unreadable"];
    value: { readonly copied: readonly string[]; readonly skipped: readonly string[]; readonly deleted: readonly string[]; readonly errors: readonly (readonly string[])[]; readonly dry_run: boolean; readonly totals: { readonly copied: number; readonly skipped: number; readonly deleted: number; readonly failed: number; readonly vanished: number; readonly bytes: number } };
  };
  /** Compares two directory trees by content and names the files that differ. */
  FA_diff_dirs: {
    args: {
      /** The tree before. */
      readonly left: string;
      /** The tree after; what is only here was added. */
      readonly right: string;
      /** Patterns of what is left out on both sides, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
    };
    order: readonly [left: "left", right: "right", exclude?: "exclude"];
    value: { readonly added: readonly string[]; readonly removed: readonly string[]; readonly changed: readonly string[] };
  };
  /** Replays the difference of two trees onto a third one, taking contents from a source. */
  FA_apply_dir_diff: {
    args: {
      /** What FA_diff_dirs answered: `added`, `removed` and `changed`, each a list of paths below the roots. */
      readonly diff: { readonly [key: string]: readonly string[] };
      /** The tree to change; made where it is missing. */
      readonly target: string;
      /** The tree that has what was added or changed. */
      readonly source: string;
    };
    order: readonly [diff: "diff", target: "target", source: "source"];
    value: null;
  };
  /** Fills a template with values and tells the text. */
  FA_render_string: {
    args: {
      /** The template: {{ name }}, {% if %}, {% for %} and filters of the Liquid language. */
      readonly template: string;
      /** The values by name; a name that is missing fails, null shows nothing. */
      readonly context: { readonly [key: string]: unknown };
      /** Use that language; false puts values in for $name only, as they are. Default: true. */
      readonly use_jinja?: boolean;
      /** Escape values for HTML; the filter raw leaves one as it is. Default: true. */
      readonly autoescape?: boolean;
    };
    order: readonly [template: "template", context: "context", use_jinja?: "use_jinja", autoescape?: "autoescape"];
    value: string;
  };
  /** Fills a template file with values, tells the text and writes it if asked to. */
  FA_render_file: {
    args: {
      /** The template, in UTF-8. */
      readonly template_path: string;
      /** The values by name; a name that is missing fails. */
      readonly context: { readonly [key: string]: unknown };
      /** Where the text goes; missing directories are made. Default: null. */
      readonly output_path?: string | null;
      /** Use the Liquid language, else $name only; by default a name ending in .j2, .jinja or .jinja2 decides. Default: null. */
      readonly use_jinja?: boolean | null;
      /** Escape values for HTML; by default when the output, or the template without that ending, is called .html, .htm, .xhtml or .xml. Default: null. */
      readonly autoescape?: boolean | null;
    };
    order: readonly [template_path: "template_path", context: "context", output_path?: "output_path", use_jinja?: "use_jinja", autoescape?: "autoescape"];
    value: string;
  };
  /** Cuts a file into numbered parts and tells their paths. */
  FA_file_split: {
    args: {
      /** The file to cut; it stays. */
      readonly file_path: string;
      /** Most bytes of a part. */
      readonly chunk_size: number;
      /** Where the parts go, made if missing; by default beside the file. Default: null. */
      readonly output_dir?: string | null;
    };
    order: readonly [file_path: "file_path", chunk_size: "chunk_size", output_dir?: "output_dir"];
    value: readonly string[];
  };
  /** Joins files into one, in the order given. */
  FA_file_merge: {
    args: {
      /** The files to join, at least one. */
      readonly parts: readonly string[];
      /** The file to write; missing directories are made. */
      readonly target_path: string;
    };
    order: readonly [parts: "parts", target_path: "target_path"];
    value: boolean;
  };
  /** Writes a text file again in another encoding; line ends stay as they are. */
  FA_encoding_convert: {
    args: {
      /** The file to read. */
      readonly file_path: string;
      /** The file to write; it may be the same. */
      readonly target_path: string;
      /** The encoding it is in: utf-8, utf-16-le, latin-1, cp1252, shift_jis and so on; utf-16 and utf-32 without an order carry a byte order mark. */
      readonly source_encoding: string;
      /** The encoding it gets. */
      readonly target_encoding: string;
      /** What becomes of bad bytes and of characters without a place: fail, a mark instead, or nothing. Default: "strict". */
      readonly errors?: "strict" | "replace" | "ignore";
    };
    order: readonly [file_path: "file_path", target_path: "target_path", source_encoding: "source_encoding", target_encoding: "target_encoding", errors?: "errors"];
    value: boolean;
  };
  /** Counts the lines of a text file. */
  FA_line_count: {
    args: {
      /** The file; LF, CRLF and a lone CR each end a line, and a last line without an end counts. */
      readonly file_path: string;
      /** How its bytes are read, where that matters to line ends. Default: "utf-8". */
      readonly encoding?: string;
    };
    order: readonly [file_path: "file_path", encoding?: "encoding"];
    value: number;
  };
  /** Replaces text in a file in place and tells how often. */
  FA_sed_replace: {
    args: {
      /** The file to change; it stays untouched when nothing matches. */
      readonly file_path: string;
      /** What to look for: a literal text, or with regex an expression of RE2 syntax; (?m) lets ^ and $ match at every line. */
      readonly pattern: string;
      /** What to put there; with regex \1, \g<name> and \g<0> stand for groups. */
      readonly replacement: string;
      /** Read the pattern as a regular expression. Default: false. */
      readonly regex?: boolean;
      /** Most replacements; 0 replaces all. Default: 0. */
      readonly count?: number;
      /** How the bytes of the file are read and written. Default: "utf-8". */
      readonly encoding?: string;
    };
    order: readonly [file_path: "file_path", pattern: "pattern", replacement: "replacement", regex?: "regex", count?: "count", encoding?: "encoding"];
    value: number;
  };
  /** Makes OpenTelemetry spans for runs and commands from now on; false where that is so already. */
  FA_tracing_init: {
    args: {
      /** The service that the spans name. Default: "factotum". */
      readonly service_name?: string;
      /** Not taken: spans leave through the OpenTelemetry SDK that the program has set up. Default: null. */
      readonly exporter?: { readonly [key: string]: unknown } | null;
      /** What every span of a run tells beside what happened. Default: null. */
      readonly resource_attributes?: { readonly [key: string]: string | number | boolean } | null;
    };
    order: readonly [service_name?: "service_name", exporter?: "exporter", resource_attributes?: "resource_attributes"];
    value: boolean;
  };
  /** Tells whether spans are made. */
  FA_tracing_status: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: boolean;
  };
  /** Moves a file or directory into the trash. */
  FA_send_to_trash: {
    args: {
      /** What to throw away. */
      readonly path: string;
      /** The folder of the trash; by default the trash of your desktop. Default: null. */
      readonly trash_dir?: string | null;
    };
    order: readonly [path: "path", trash_dir?: "trash_dir"];
    value: { readonly trash_id: string; readonly original: string; readonly trashed_at: string; readonly path: string; readonly is_dir: boolean };
  };
  /** Lists what is in the trash, oldest first. */
  FA_list_trash: {
    args: {
      /** The folder of the trash; by default the trash of your desktop. Default: null. */
      readonly trash_dir?: string | null;
    };
    order: readonly [trash_dir?: "trash_dir"];
    value: readonly ({ readonly trash_id: string; readonly original: string; readonly trashed_at: string; readonly path: string; readonly is_dir: boolean })[];
  };
  /** Moves an entry of the trash back; never overwrites. */
  FA_restore_from_trash: {
    args: {
      /** The id that sending or listing gave. */
      readonly trash_id: string;
      /** The folder of the trash; by default the trash of your desktop. Default: null. */
      readonly trash_dir?: string | null;
      /** Where it goes; by default where it came from. Default: null. */
      readonly destination?: string | null;
    };
    order: readonly [trash_id: "trash_id", trash_dir?: "trash_dir", destination?: "destination"];
    value: string;
  };
  /** Deletes everything in the trash for good; tells how many entries went. */
  FA_empty_trash: {
    args: {
      /** The folder of the trash; by default the trash of your desktop. Default: null. */
      readonly trash_dir?: string | null;
    };
    order: readonly [trash_dir?: "trash_dir"];
    value: number;
  };
  /** Keeps a snapshot of a file and gives its number. */
  FA_version_save: {
    args: {
      /** The directory of the store; made when first needed. */
      readonly root: string;
      /** The file to keep. */
      readonly path: string;
    };
    order: readonly [root: "root", path: "path"];
    value: { readonly version: number; readonly timestamp: string; readonly path: string };
  };
  /** Lists the snapshots of a file, oldest first. */
  FA_version_list: {
    args: {
      /** The directory of the store. */
      readonly root: string;
      /** The file whose versions they are; it need not exist any more. */
      readonly path: string;
    };
    order: readonly [root: "root", path: "path"];
    value: readonly ({ readonly version: number; readonly timestamp: string; readonly path: string })[];
  };
  /** Puts a snapshot back in place of the file. */
  FA_version_restore: {
    args: {
      /** The directory of the store. */
      readonly root: string;
      /** The file to put back; replaced when it exists. */
      readonly path: string;
      /** The number of the snapshot. */
      readonly version: number;
    };
    order: readonly [root: "root", path: "path", version: "version"];
    value: null;
  };
  /** Deletes all but the newest snapshots of a file; tells how many went. */
  FA_version_prune: {
    args: {
      /** The directory of the store. */
      readonly root: string;
      /** The file whose snapshots they are. */
      readonly path: string;
      /** How many to keep. */
      readonly keep: number;
    };
    order: readonly [root: "root", path: "path", keep: "keep"];
    value: number;
  };
  /** Starts a watcher that runs a list when files change, also after a restart. */
  FA_watch_start: {
    args: {
      /** What the watcher is called; no other may have the name. */
      readonly name: string;
      /** The file or directory to watch. */
      readonly path: string;
      /** The commands; references inside may use ${event.path}, ${event.kind}, ${event.paths} and ${event.moved_from}. */
      readonly action_list: NestedList;
      /** What counts: created, modified, deleted, moved, one or several; null: created and modified. Default: null. */
      readonly events?: readonly string[] | string | null;
      /** Whether directories below count too. Default: true. */
      readonly recursive?: boolean;
      /** Globs of files that count, relative to the path; none means all. Default: []. */
      readonly include?: readonly string[];
      /** Globs of files that do not count. Default: []. */
      readonly exclude?: readonly string[];
      /** A file counts when size and time have not changed for this many seconds. Default: 1. */
      readonly settle_s?: number;
      /** A file counts when another one of this name, with `*` for its own, stands beside it: `*.done`. Default: null. */
      readonly ready_marker?: string | null;
      /** Events of one file within this many seconds are one. Default: 0.5. */
      readonly debounce_s?: number;
      /** How many files are handed to one run at most. Default: 1. */
      readonly batch?: number;
      /** What happens to events while the list still runs. Default: "queue". */
      readonly on_busy?: "queue" | "coalesce" | "drop" | "restart";
      /** Every so many seconds the tree is compared as a whole, for events that the system lost. Default: 300. */
      readonly rescan_s?: number;
      /** Look regularly instead of waiting for events; network mounts always do. Default: false. */
      readonly poll?: boolean;
      /** How many seconds pass between two looks then. Default: 5. */
      readonly poll_s?: number;
    };
    order: readonly [name: "name", path: "path", action_list: "action_list", events?: "events", recursive?: "recursive", include?: "include", exclude?: "exclude", settle_s?: "settle_s", ready_marker?: "ready_marker", debounce_s?: "debounce_s", batch?: "batch", on_busy?: "on_busy", rescan_s?: "rescan_s", poll?: "poll", poll_s?: "poll_s"];
    value: { readonly name: string; readonly path: string; readonly events: readonly ("created" | "modified" | "deleted" | "moved")[]; readonly recursive: boolean; readonly running: boolean; readonly actions: number; readonly state: "watching" | "polling" | "degraded" | "missing" | "idle"; readonly message: string | null; readonly files: number; readonly waiting: number };
  };
  /** Stops and removes a watcher and shows what it was. */
  FA_watch_stop: {
    args: {
      /** The name of the watcher. */
      readonly name: string;
    };
    order: readonly [name: "name"];
    value: { readonly name: string; readonly path: string; readonly events: readonly ("created" | "modified" | "deleted" | "moved")[]; readonly recursive: boolean; readonly running: boolean; readonly actions: number; readonly state: "watching" | "polling" | "degraded" | "missing" | "idle"; readonly message: string | null; readonly files: number; readonly waiting: number };
  };
  /** Stops and removes all watchers but those of the configuration, and shows what they were. */
  FA_watch_stop_all: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly ({ readonly name: string; readonly path: string; readonly events: readonly ("created" | "modified" | "deleted" | "moved")[]; readonly recursive: boolean; readonly running: boolean; readonly actions: number; readonly state: "watching" | "polling" | "degraded" | "missing" | "idle"; readonly message: string | null; readonly files: number; readonly waiting: number })[];
  };
  /** Lists the watchers, how they do and what they wait for. */
  FA_watch_list: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: readonly ({ readonly name: string; readonly path: string; readonly events: readonly ("created" | "modified" | "deleted" | "moved")[]; readonly recursive: boolean; readonly running: boolean; readonly actions: number; readonly state: "watching" | "polling" | "degraded" | "missing" | "idle"; readonly message: string | null; readonly files: number; readonly waiting: number })[];
  };
  /** Opens a connection to a WebDAV server, which is the default of this caller until it is closed or 30 minutes unused. */
  FA_webdav_later_init: {
    args: {
      /** The address of the top directory. */
      readonly base_url: string;
      /** The name to log in with. Default: null. */
      readonly username?: string | null;
      /** The password to log in with. Default: null. */
      readonly password?: string | null;
      /** Whether the address may lie in a private network; only the owner may say so. Default: false. */
      readonly allow_private_hosts?: boolean;
      /** Seconds to wait for an answer. Default: 30. */
      readonly timeout?: number;
      /** Whether the certificate of the server is checked. Default: true. */
      readonly verify_tls?: boolean;
    };
    order: readonly [base_url: "base_url", username?: "username", password?: "password", allow_private_hosts?: "allow_private_hosts", timeout?: "timeout", verify_tls?: "verify_tls"];
    value: null;
  };
  /** Tells whether something is at a path of a WebDAV server. */
  FA_webdav_exists: {
    args: {
      /** The path. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_webdav_later_init opened, or [connections.webdav]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path: "remote_path", connection?: "connection"];
    value: boolean;
  };
  /** Uploads one file to a WebDAV server, making the directories that are missing. */
  FA_webdav_upload_file: {
    args: {
      /** The file to upload. */
      readonly file_path: string;
      /** Where it goes. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_webdav_later_init opened, or [connections.webdav]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [file_path: "file_path", remote_path: "remote_path", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Uploads all files below a directory to a WebDAV server and gives their paths there. */
  FA_webdav_upload_dir: {
    args: {
      /** The directory whose files are uploaded, with all below. */
      readonly dir_path: string;
      /** The directory that the files go below. Default: "". */
      readonly remote_prefix?: string;
      /** The name of a connection of [connections]; null: what FA_webdav_later_init opened, or [connections.webdav]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** Patterns of the files that take part; none means all. Default: []. */
      readonly include?: readonly string[];
      /** Patterns of what is left out, directories with everything in them. Default: []. */
      readonly exclude?: readonly string[];
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [dir_path: "dir_path", remote_prefix?: "remote_prefix", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", include?: "include", exclude?: "exclude", progress_name?: "progress_name"];
    value: readonly string[];
  };
  /** Downloads one file from a WebDAV server. */
  FA_webdav_download_file: {
    args: {
      /** The file. */
      readonly remote_path: string;
      /** Where the file goes; a directory keeps the name. */
      readonly target_path: string;
      /** The name of a connection of [connections]; null: what FA_webdav_later_init opened, or [connections.webdav]. Default: null. */
      readonly connection?: string | null;
      /** What to do when something is at the target already. Default: "overwrite". */
      readonly on_conflict?: "overwrite" | "skip" | "error" | "rename" | "skip_if_same";
      /** Compare what has arrived by the strongest digest that the target tells (`strongest`), or by its length alone (`none`). Default: "strongest". */
      readonly verify?: "strongest" | "none";
      /** Refuse a target that tells no digest of what it holds. Default: false. */
      readonly require_verified?: boolean;
      /** Go on with what an earlier transfer of the same file has left. Default: true. */
      readonly resume?: boolean;
      /** Files, or parts of a large file, at once. Default: 4. */
      readonly max_workers?: number;
      /** When files are the same: size and time (`size_mtime`; where the target sets its own times, whether it was written later), content (`checksum`), or size alone (`size`). Default: "size_mtime". */
      readonly compare?: "size_mtime" | "checksum" | "size";
      /** The most bytes a second, over the whole transfer; null: as fast as it goes. Default: null. */
      readonly bandwidth?: number | null;
      /** Keep times where the target can. Default: true. */
      readonly preserve?: boolean;
      /** The name under which its progress is shown; null: one is made. Default: null. */
      readonly progress_name?: string | null;
    };
    order: readonly [remote_path: "remote_path", target_path: "target_path", connection?: "connection", on_conflict?: "on_conflict", verify?: "verify", require_verified?: "require_verified", resume?: "resume", max_workers?: "max_workers", compare?: "compare", bandwidth?: "bandwidth", preserve?: "preserve", progress_name?: "progress_name"];
    value: boolean;
  };
  /** Lists a directory of a WebDAV server. */
  FA_webdav_list_dir: {
    args: {
      /** The directory. Default: "". */
      readonly remote_path?: string;
      /** The name of a connection of [connections]; null: what FA_webdav_later_init opened, or [connections.webdav]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path?: "remote_path", connection?: "connection"];
    value: readonly ({ readonly href: string; readonly name: string; readonly is_dir: boolean; readonly size: number; readonly last_modified: string | null })[];
  };
  /** Deletes a file of a WebDAV server, or a collection with everything in it. */
  FA_webdav_delete_path: {
    args: {
      /** The path. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_webdav_later_init opened, or [connections.webdav]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path: "remote_path", connection?: "connection"];
    value: boolean;
  };
  /** Makes a collection on a WebDAV server, in one that exists. */
  FA_webdav_mkcol: {
    args: {
      /** The path. */
      readonly remote_path: string;
      /** The name of a connection of [connections]; null: what FA_webdav_later_init opened, or [connections.webdav]. Default: null. */
      readonly connection?: string | null;
    };
    order: readonly [remote_path: "remote_path", connection?: "connection"];
    value: boolean;
  };
  /** Closes the connection to a WebDAV server that this caller has opened; none need be open. */
  FA_webdav_close: {
    args: Readonly<Record<string, never>>;
    order: readonly [];
    value: boolean;
  };
}
