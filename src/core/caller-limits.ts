/** Which lists of a caller run only when somebody has approved their plan. */
export type RequireApproval = 'none' | 'destructive' | 'all';

const MEGABYTE = 1024 * 1024;

interface ShareLimit {
  /** What the configuration calls it. */
  readonly key: string;
  /** Where nobody says otherwise. */
  readonly usual: number;
  /** How many of ours one of the configuration stands for. */
  readonly per?: number;
}

/** What one caller with limits may have at once of what all callers share. The owner may have all there is. */
export const SHARES = {
  /** Requests under way, through all doors. */
  maxInFlight: { key: 'max_in_flight', usual: 64 },
  /** Bytes of requests that are arriving and answers that nobody takes, in memory. */
  maxHeldBytes: { key: 'max_held_mb', usual: 128 * MEGABYTE, per: MEGABYTE },
  /** Connections that are told something as it happens: events of runs, progress. */
  maxStreams: { key: 'max_streams', usual: 256 },
  /** Lists that were accepted and run while nobody waits for them. */
  maxBackground: { key: 'max_background', usual: 32 },
  /** Lists that wait in the queue. */
  maxQueued: { key: 'max_queued', usual: 1_000 },
  /** Programs that run. */
  maxChildren: { key: 'max_children', usual: 16 },
  /** Watchers and monitors that are stored. */
  maxWatchers: { key: 'max_watchers', usual: 32 },
  /** Jobs of the scheduler that are stored. */
  maxSchedules: { key: 'max_schedules', usual: 64 },
  /** Names of breakers and buckets of its own that are kept. */
  maxNames: { key: 'max_names', usual: 1_000 },
  /** Bytes that the store keeps of its runs. */
  maxStoredBytes: { key: 'max_stored_mb', usual: 100 * MEGABYTE, per: MEGABYTE },
} as const satisfies Readonly<Record<string, ShareLimit>>;

export type ShareName = keyof typeof SHARES;

/** How much of each share a caller may have. */
export type ShareLimits = { readonly [Name in ShareName]: number };

/** What a caller may do beside the files and actions that it is granted; what is left out has its usual value. */
export interface CallerLimits extends Partial<ShareLimits> {
  readonly executes?: boolean;
  /** Whether other machines may be reached; `hosts` alone grants those it names. */
  readonly network?: boolean;
  /** Names of machines that may be reached, `*.example.com` for all below one; left out: every one, where the network is granted. */
  readonly hosts?: readonly string[];
  /** Locations below which everything may be read and changed, `s3+backup://bucket/in/`. */
  readonly locations?: readonly string[];
  /** Locations below which everything may be read. */
  readonly readOnlyLocations?: readonly string[];
  /** Readable environment names. */
  readonly env?: readonly string[];
  /** Bytes that one run may write; 0 or left out is no limit. */
  readonly maxBytes?: number;
  /** Files that one run may delete; 0 or left out is no limit. */
  readonly maxDeletes?: number;
  /** `destructive`: lists that may do more than read; `all`: every list. */
  readonly requireApproval?: RequireApproval;
  /** Names of locks, breakers, buckets and the like that the caller shares with everybody; others are its own. */
  readonly sharedNames?: readonly string[];
}

/** Every limit and what the configuration calls it: the only list of them. Checks, schema and all doors follow from it. */
const LIMITS = {
  executes: { key: 'executes' },
  network: { key: 'network' },
  hosts: { key: 'hosts' },
  locations: { key: 'locations' },
  readOnlyLocations: { key: 'read_only_locations' },
  env: { key: 'env' },
  maxBytes: { key: 'max_bytes' },
  maxDeletes: { key: 'max_deletes' },
  requireApproval: { key: 'require_approval' },
  sharedNames: { key: 'shared_names' },
  ...SHARES,
} as const satisfies { readonly [Name in keyof CallerLimits]-?: { readonly key: string; readonly per?: number } };

type LimitName = keyof typeof LIMITS;
// The names of a table are its keys, which the compiler takes for any text.
const NAMES = Object.keys(LIMITS) as readonly LimitName[];
export const SHARE_NAMES = Object.keys(SHARES) as readonly ShareName[];

/** The names of limits, for callees that refuse options which nobody reads. */
export const LIMIT_NAMES = Object.fromEntries(NAMES.map((name) => [name, true])) as { readonly [Name in LimitName]: true }; // all of them

/** Limits as the configuration writes them: the keys of the table above with the values of its names. */
export type LimitKeys = { readonly [Name in LimitName as (typeof LIMITS)[Name]['key']]?: CallerLimits[Name] | undefined };

/** Limits some of which may be given as undefined, which is left out. */
export type GivenLimits = { readonly [Name in LimitName]?: CallerLimits[Name] | undefined };

/** Those of the limits that have a value. */
export const limitsIn = (given: GivenLimits): CallerLimits =>
  Object.fromEntries(NAMES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));

/** The limits that the sections of a configuration say; of a key that several say, the first one counts. */
export const limitsOfKeys = (...sections: readonly LimitKeys[]): CallerLimits =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const { key, per = 1 }: { readonly key: keyof LimitKeys; readonly per?: number } = LIMITS[name];
      const value = sections.find((section) => section[key] !== undefined)?.[key];
      return value === undefined ? [] : [[name, typeof value === 'number' ? value * per : value]];
    }),
  );

/** How much of each share a caller with these limits may have. */
export const sharesIn = (given: Partial<ShareLimits>): ShareLimits =>
  Object.fromEntries(SHARE_NAMES.map((name) => [name, given[name] ?? SHARES[name].usual])) as ShareLimits; // every name of it

/** Of two callers in one: of each share the smaller. */
export const narrowShares = (one: ShareLimits, other: ShareLimits): ShareLimits =>
  Object.fromEntries(SHARE_NAMES.map((name) => [name, Math.min(one[name], other[name])])) as ShareLimits; // every name of it
