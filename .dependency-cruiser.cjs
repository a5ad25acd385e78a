// Who may import whom: the table of rooms in ARCHITECTURE.md as rules. Run by test/laws/rooms.test.ts.
// A new edge is a decision: it needs a line here and a record in docs/adr/.

/** What each room may import beside itself, by the start of the path; `types` are for types only. */
const ROOMS = {
  core: {},
  lib: { may: ['core/error-of.ts', 'core/errors.ts', 'core/transient.ts'], types: ['core/'] },
  access: { may: ['core/', 'lib/'] },
  files: { may: ['core/', 'lib/'], types: ['access/'] },
  pipeline: { may: ['core/', 'lib/', 'access/'], types: ['files/'] },
  actions: { may: ['core/', 'lib/'] },
  storage: { may: ['core/', 'lib/'] },
  services: { may: ['core/', 'lib/'], types: ['access/'] },
  servers: { may: ['core/', 'lib/', 'access/'], types: ['pipeline/gateway.ts'] },
  client: { may: ['core/'], types: ['app/'] },
  cli: { may: ['core/', 'lib/', 'app/', 'client/'] },
  bin: { may: ['cli/'] },
  app: { may: [''] },
};

const under = (paths) => paths.map((path) => `^src/${path.replaceAll('.', '\\.')}`);

const roomRules = Object.entries(ROOMS).flatMap(([room, { may = [], types = [] }]) => [
  {
    name: `${room} imports only ${['itself', ...may].join(', ')}`,
    severity: 'error',
    from: { path: `^src/${room}/` },
    to: { path: '^src/', pathNot: under([`${room}/`, ...may, ...types]) },
  },
  ...(types.length === 0
    ? []
    : [
        {
          name: `${room} takes only types from ${types.join(', ')}`,
          severity: 'error',
          from: { path: `^src/${room}/` },
          to: { path: under(types), pathNot: under([`${room}/`, ...may]), dependencyTypesNot: ['type-only'] },
        },
      ]),
]);

/** Inside these rooms every folder is on its own; what is `shared` may be used by all, and `types` be known. */
const apart = (room, what, { types = [], shared = [] } = {}) => [
  {
    name: `no ${what} imports another`,
    severity: 'error',
    from: { path: `^src/${room}/([^/]+)/` },
    to: { path: `^src/${room}/[^/]+/`, pathNot: [`^src/${room}/$1/`, ...under([...types, ...shared])] },
  },
  ...(types.length === 0
    ? []
    : [
        {
          name: `a ${what} takes only types from ${types.join(', ')}`,
          severity: 'error',
          from: { path: `^src/${room}/([^/]+)/` },
          to: { path: under(types), pathNot: `^src/${room}/$1/`, dependencyTypesNot: ['type-only'] },
        },
      ]),
];

/** The doors name what its owner exports; the inside of the house is not for them. */
const DOORS = '^src/(?:index|spec)\\.ts$';

module.exports = {
  forbidden: [
    ...roomRules,
    ...apart('actions', 'family', { shared: ['actions/remote/'] }),
    ...apart('services', 'service', { types: ['services/engine/port'] }),
    ...apart('servers', 'server'),
    ...apart('storage/backends', 'backend'),
    {
      name: 'actions reach disk, network and programs only through their context',
      severity: 'error',
      from: { path: '^src/actions/' },
      to: {
        dependencyTypes: ['core'],
        path: '^(?:node:)?(?:fs|net|tls|dgram|http|https|http2|child_process|cluster|worker_threads)(?:/|$)',
      },
    },
    {
      name: 'nothing imports the doors',
      severity: 'error',
      from: { path: '^src/', pathNot: DOORS },
      to: { path: DOORS },
    },
    {
      name: 'the doors import only app, client, access, core and safe paths',
      severity: 'error',
      from: { path: DOORS },
      to: { path: '^src/', pathNot: under(['app/', 'client/', 'access/', 'core/', 'lib/fs/safe-path.ts']) },
    },
    {
      name: 'no circle of imports',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'every import leads somewhere', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    exclude: { path: '\\.test\\.ts$' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
