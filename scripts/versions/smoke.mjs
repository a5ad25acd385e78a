// What must work on every version of Node that package.json admits, tried through an installed package as its users would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER = 'owner-secret-0123456789abcdef';
const CLEANER = 'cleaner-secret-0123456789abcdef';
const TRY_MS = 120_000;
const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'smoke', version: '1' } },
};

/** Tries everything in an empty directory of its own; answers what failed, by name. */
export const smoke = async ({ node, app, dir }) => {
  const room = prepare({ node, app, dir });
  const faults = {};
  for (const [name, attempt] of Object.entries(ATTEMPTS)) {
    try {
      await attempt(room);
    } catch (fault) {
      faults[name] = fault.message.trim().split('\n').slice(-3).join(' ');
    }
  }
  return faults;
};

/** What is tried, in this order; later ones may use what earlier ones left. */
const ATTEMPTS = {
  async run({ factotum, list, read }) {
    const { results } = await factotum('run', list([['FA_create_file', ['a.txt', 'abc\n']]]), '--json');
    demand(results[0].status === 'ok' && read('a.txt') === 'abc\n', 'the file was not written');
  },
  async exec({ factotum }) {
    demand((await factotum('exec', 'FA_stat', 'a.txt', '--json')).results[0].value.size === 4, 'the size is wrong');
  },
  async grep({ factotum }) {
    const { results } = await factotum('exec', 'FA_grep', '.', '(a|x)b[c-d]', '--regex', '--json');
    demand(JSON.stringify(results[0].value).includes('a.txt'), 'the line was not found');
  },
  async zip({ factotum, list, read }) {
    const actions = [
      ['FA_create_dir', ['tree']],
      ['FA_create_file', ['tree/b.txt', 'zipped']],
      ['FA_zip_dir', ['tree', 'tree.zip']],
      ['FA_unzip_all', { zip_file_path: 'tree.zip', extract_path: 'out' }],
    ];
    await factotum('run', list(actions), '--json');
    demand(read('out/b.txt') === 'zipped', 'the archive does not hold the file');
  },
  async parquet({ factotum, list }) {
    const rows = [{ id: '9007199254740993', price: '1.10' }];
    const actions = [
      ['FA_parquet_write', { path: 'a.parquet', records: rows, schema: { id: 'int64', price: 'decimal(9,2)' } }],
      ['FA_parquet_read', { path: 'a.parquet' }],
    ];
    const { results } = await factotum('run', list(actions), '--json');
    demand(JSON.stringify(results[1].value) === JSON.stringify(rows), 'the rows are not what was written');
  },
  /** Packages that the build takes in, which the tests of the sources load from elsewhere. */
  async bundled({ factotum, list, read, serving }) {
    const actions = [
      ['FA_render_string', { template: 'hi {{ name }}', context: { name: 'Ann' } }],
      ['FA_file_checksum', { path: 'a.txt', algorithm: 'blake3' }],
      ['FA_zip_dir', { dir_we_want_to_zip: 'tree', zip_name: 'locked.zip', password: 'secret' }],
      ['FA_unzip_all', { zip_file_path: 'locked.zip', extract_path: 'unlocked', password: 'secret' }],
    ];
    const { results } = await factotum('run', list(actions), '--json');
    demand(results[0].value === 'hi Ann' && results[1].value.length === 64, 'a template or a digest is wrong');
    demand(read('unlocked/b.txt') === 'zipped', 'the encrypted archive does not hold the file');
    await serving(async (ask) => {
      const { status, body } = await ask('/mcp', OWNER, HELLO);
      demand(status === 200 && body.result.serverInfo.name === 'factotum', `MCP answered ${status}`);
    });
  },
  async history({ factotum }) {
    demand((await factotum('runs', '--json')).length >= 5, 'runs are missing');
  },
  async undo({ factotum, list, read }) {
    const { run_id: run } = await factotum('run', list([['FA_create_file', ['gone.txt', 'x']]]), '--json');
    demand(read('gone.txt') === 'x', 'there is nothing to undo');
    await factotum('undo', run, '--json');
    demand(read('gone.txt') === undefined, 'the file is still there');
  },
  async prune({ factotum }) {
    await factotum('runs', 'prune', '--json');
  },
  async library({ script }) {
    // A flag that asks for another engine is a mistake in the program of whoever uses the library, and stays one.
    const code = `import { executeAction } from 'factotum';
      const { status, results } = await executeAction([['FA_grep', { root: '.', pattern: 'a[b-c]', regex: true }]]);
      let isMeant = true;
      try { new RegExp('a', 'l'); } catch { isMeant = false; }
      console.log(status, results[0].value.length > 0, isMeant, typeof gc);`;
    demand((await script(code)).trim() === 'ok true false undefined', 'the list did not run, or has changed the process');
  },
  async serve({ serving }) {
    await serving(async (ask) => {
      const { status, body } = await ask('/actions', OWNER, [['FA_stat', ['a.txt']]]);
      demand(status === 200 && body.results[0].value.size === 4, `HTTP answered ${status}`);
    });
  },
  async queue({ serving, factotum, read, until }) {
    await serving(async (ask) => {
      const { status } = await ask('/runs', OWNER, [['FA_create_file', ['queued.txt', 'later']]]);
      demand(status === 202, `HTTP answered ${status}`);
      await until(() => read('queued.txt') === 'later');
      await factotum('queue', '--json');
    });
  },
  async approvals({ serving, factotum, read, at }) {
    await serving(async (ask) => {
      const actions = [['FA_create_file', [at('approved.txt'), 'yes']]];
      demand((await ask('/actions', CLEANER, actions)).status === 403, 'nobody was asked');
      const [{ plan_hash: plan }] = await factotum('approve', '--json');
      await factotum('approve', plan);
      const { status } = await ask('/actions', CLEANER, { actions, expect_plan: plan });
      demand(status === 200 && read('approved.txt') === 'yes', `HTTP answered ${status}`);
    });
  },
};

/** How many things are tried. */
export const ATTEMPTED = Object.keys(ATTEMPTS);

const demand = (holds, message) => {
  if (!holds) throw new Error(message);
};

const prepare = ({ node, app, dir }) => {
  const bin = join(app, 'node_modules', 'factotum', 'dist', 'bin', 'factotum.cjs');
  const at = (path) => join(dir, path);
  mkdirSync(at('state'), { recursive: true, mode: 0o700 });
  writeFileSync(at('factotum.toml'), settings(dir), { mode: 0o600 });
  const env = { ...process.env, XDG_STATE_HOME: at('state'), HOME: dir, NODE_OPTIONS: '' };
  const start = (args, cwd = dir) => spawn(node, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TRY_MS });
  const ended = async (args, cwd) => {
    const { code, out, err } = await outputOf(start(args, cwd));
    demand(code === 0 && err === '', `ended with ${code}: ${err || out}`);
    return out;
  };
  const factotum = async (...args) => {
    const out = await ended([bin, ...args]);
    return args.includes('--json') ? JSON.parse(out) : out;
  };
  const read = (path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined);
  const list = (actions) => {
    writeFileSync(at('list.json'), JSON.stringify(actions));
    return 'list.json';
  };
  const script = (code) => {
    writeFileSync(join(app, 'script.mjs'), code);
    return ended([join(app, 'script.mjs')]);
  };
  const serving = (work) => whileServing(start([bin, 'serve']), work);
  return { at, factotum, list, read, script, serving, until };
};

const settings = (dir) => `
[http]
port = 0
[tcp]
enabled = false
[server]
shared_secret = "${OWNER}"
[[tokens]]
name = "cleaner"
secret = "${CLEANER}"
roots = [${JSON.stringify(dir)}]
require_approval = "destructive"
`;

const outputOf = async (child) => {
  const texts = { out: '', err: '' };
  child.stdout.on('data', (text) => (texts.out += text));
  child.stderr.on('data', (text) => (texts.err += text));
  const [code] = await once(child, 'close');
  return { code, ...texts };
};

/** Runs a service for as long as `work` needs it, and demands that it ends when it is told to. */
const whileServing = async (child, work) => {
  const ended = outputOf(child);
  try {
    const address = await Promise.race([addressOf(child), ended.then(({ err }) => Promise.reject(new Error(`did not start: ${err}`)))]);
    await work(async (path, secret, list) => {
      const answer = await fetch(`${address}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(list),
      });
      const text = await answer.text();
      return { status: answer.status, body: JSON.parse(text.replace(/^event: .*\ndata: /, '')) }; // MCP answers with an event
    });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

const addressOf = (child) =>
  new Promise((resolve) => {
    let told = '';
    child.stdout.on('data', (text) => {
      told += text;
      const [, address] = /Listening on (http:\S+)/.exec(told) ?? [];
      if (address !== undefined) resolve(address);
    });
  });

/** Waits for what another process does. */
const until = async (holds) => {
  const deadline = performance.now() + TRY_MS;
  while (!holds()) {
    demand(performance.now() < deadline, 'it never happened');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
