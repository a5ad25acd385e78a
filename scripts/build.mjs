// npm run build [-- --out DIR --no-types]: writes the library (ES modules), the command line (see src/bin/bundle.ts) and declarations.
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, transform } from 'esbuild';
import { buildTypes } from './build/declarations.mjs';
import { buildSqlite } from './build/sqlite.mjs';
import { buildSsh2 } from './build/ssh2.mjs';

const TARGET = 'node20.15';
const { values: options } = parseArgs({
  options: { out: { type: 'string', default: 'dist' }, types: { type: 'boolean', default: true } },
  allowNegative: true,
});
/** Everything is built aside, so that a failing build leaves the last good one. */
const work = join('node_modules', `.factotum-build-${process.pid}`);
const manifest = JSON.parse(await readFile('package.json', 'utf8'));
const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies });
const common = {
  bundle: true,
  platform: 'node',
  target: TARGET,
  mainFields: ['module', 'main'],
  external: installed,
  metafile: true,
  logLevel: 'warning',
};

/** The classes of errors, a file of their own: an error of the client is then of the same class as one of the library. */
const ERRORS = 'core/errors.ts';

/** The doors, and worker threads (`*.worker.ts`), which must lie in the same folder as the chunks that start them. */
const buildLibrary = async () => {
  const files = await readdir('src', { recursive: true });
  const entryPoints = files
    .filter((file) => ['index.ts', 'spec.ts', ERRORS].includes(file) || file.endsWith('.worker.ts'))
    .map((file) => join('src', file));
  return build({
    ...common,
    entryPoints,
    outdir: work,
    entryNames: '[name]',
    format: 'esm',
    splitting: true,
    define: { FACTOTUM_OWN_PROCESS: 'false' },
  });
};

/** One file for Node and browsers that shares nothing with the library but the classes of errors. */
const buildClient = () =>
  build({
    ...common,
    entryPoints: ['src/client/index.ts'],
    outfile: join(work, 'client.js'),
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    plugins: [
      {
        name: 'errors',
        setup(plugin) {
          plugin.onResolve({ filter: /\/errors\.ts$/ }, () => ({ path: './errors.js', external: true }));
        },
      },
    ],
  });

/** What starts fast: the code of these commands and families, and all that it needs, lies in one file. */
const QUICK = [
  'src/cli/main.ts',
  'src/cli/commands/run.ts',
  'src/cli/commands/exec.ts',
  'src/lib/workers/pool.worker.ts',
  'src/app/command-line/one-shot.ts',
  'src/actions/files/index.ts',
  'src/actions/flow/index.ts',
];
/** Other code that families share lies in a second file, unless it is large. */
const SMALL_BYTES = 16_384;
/** Packages of many modules, which a command would wait for one by one. */
const BUNDLED = ['smol-toml', 'zod'];

const buildCommandLine = async () => {
  const folder = join(work, 'bin');
  const bundle = await build({
    ...common,
    external: installed.filter((name) => !BUNDLED.includes(name)),
    entryPoints: ['src/cli/main.ts', 'src/lib/workers/pool.worker.ts', 'src/app/runners/runner.worker.ts'],
    outdir: folder,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    format: 'esm',
    splitting: true,
    minify: true,
    write: false,
    define: {
      'import.meta.url': '__meta.url',
      'performance.now': '__now',
      FACTOTUM_OWN_PROCESS: 'true',
      FACTOTUM_WORKER: '"./bin/worker.cjs"',
      FACTOTUM_RUNNER: '"./bin/runner.cjs"',
    },
  });
  const { outputs } = bundle.metafile;
  const quick = new Set(
    QUICK.flatMap((source) =>
      closureOf(
        Object.keys(outputs).find((path) => outputs[path].entryPoint === source),
        outputs,
      ),
    ),
  );
  const core = new Map();
  const shared = [];
  await mkdir(folder, { recursive: true });
  for (const { path, text } of bundle.outputFiles) {
    const name = `./${basename(path)}`;
    const marked = markImports(text, join(folder, name), outputs);
    if (quick.has(join(folder, name))) {
      core.set(name, marked);
      continue;
    }
    const chunk = `${JSON.stringify(name)}:function(exports,require,module,__import,__meta,__now){${await commonJs(marked)}\n}`;
    const { entryPoint, bytes } = outputs[join(folder, name)];
    if (entryPoint === undefined && bytes < SMALL_BYTES) shared.push(chunk);
    else await writeFile(join(folder, name), `({${chunk}})`);
  }
  const coreFile = await writeNamed(
    folder,
    'core',
    `(function(require,module,__import,__meta,__now){${await commonJs(shownLate(await joined(core)))}\nreturn module.exports})`,
  );
  const sharedFile = await writeNamed(folder, 'shared', `({${shared.join(',')}})`);
  const starters = await build({
    ...common,
    entryPoints: ['src/bin/factotum.ts', 'src/bin/worker.ts', 'src/bin/runner.ts'],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    define: {
      FACTOTUM_VERSION: JSON.stringify(manifest.version),
      CORE_FILE: JSON.stringify(coreFile),
      SHARED_FILE: JSON.stringify(sharedFile),
      MAIN_CHUNK: '"./main.js"',
      WORKER_CHUNK: '"./pool.worker.js"',
      RUNNER_CHUNK: '"./runner.worker.js"',
    },
  });
  await chmod(join(folder, 'factotum.cjs'), 0o755);
  return { metafile: { inputs: { ...bundle.metafile.inputs, ...starters.metafile.inputs } } };
};

/** Writes a file and gives its name, which changes with what is in it. */
const writeNamed = async (folder, name, source) => {
  const file = `./${name}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
  await writeFile(join(folder, file), source);
  return file;
};

/** Makes each `import()` of an ES module a call of what src/bin/bundle.ts hands in. */
const markImports = (text, path, outputs) => {
  const expected = outputs[path].imports.filter(({ kind }) => kind === 'dynamic-import').length;
  let found = 0;
  const marked = text.replace(/\bimport\("([^"]+)"\)/g, (_, name) => {
    found += 1;
    const isChunk = name.startsWith('./');
    return isChunk ? `__import("${name}",${JSON.stringify(packagesOf(join(dirname(path), name), outputs))})` : `__import("",["${name}"])`;
  });
  if (found < expected) throw new Error(`${path}: ${expected} dynamic imports, of which ${found} are in its text`);
  return marked.replace(/\bimport\((?!")/g, '__import.any('); // what is named only at run time: plugins
};

const commonJs = async (text) => (await transform(text, { format: 'cjs', minify: true, target: TARGET, platform: 'node' })).code.trimEnd();

/** Chunks as one module, in which they use each other's variables directly; it gives functions that run a chunk, by its name. */
const joined = async (chunks) => {
  const { outputFiles } = await build({
    stdin: { contents: `module.exports={${[...chunks.keys()].map((name) => `"${name}":()=>require("${name}")`).join(',')}}` },
    bundle: true,
    write: false,
    format: 'cjs',
    target: TARGET,
    platform: 'node',
    logLevel: 'warning',
    plugins: [
      {
        name: 'chunks',
        setup(plugin) {
          plugin.onResolve({ filter: /./ }, ({ path }) => (chunks.has(path) ? { path, namespace: 'chunks' } : { path, external: true }));
          plugin.onLoad({ filter: /./, namespace: 'chunks' }, ({ path }) => ({ contents: chunks.get(path) }));
        },
      },
    ],
  });
  return outputFiles[0].text.trimEnd();
};

/** A chunk shows what it holds when somebody asks for it: most are used by the others of the module only, and there are hundreds of names. */
const shownLate = (text) => {
  const late = text
    .replace(
      /^var (\w+)_exports = \{\};(?:\n__export\(\1_exports, (\{[^}]*\})\);)?$/gm,
      (_, name, names = '{}') => `var ${name}_names = () => (${names});`,
    )
    .replace(/\b__toCommonJS\((\w+)_exports\)/g, '__shown($1_names())');
  if (/_exports\b/.test(late))
    throw new Error(`the joined chunks show something in a way that is not known here: ${/.*_exports\b.*/.exec(late)[0]}`);
  return `var __shown = (names) => { const shown = __defProp({}, '__esModule', { value: true }); __export(shown, names); return shown; };\n${late}`;
};

/** A chunk and all that it statically imports. */
const closureOf = (path, outputs, seen = new Set()) => {
  if (seen.has(path)) return [];
  seen.add(path);
  return [path, ...outputs[path].imports.filter(isStatic).flatMap((each) => closureOf(each.path, outputs, seen))];
};

const isStatic = ({ kind, external }) => kind === 'import-statement' && !external;

/** Packages that a chunk and everything it statically imports need; built-in modules can be required. */
const packagesOf = (path, outputs) => {
  const imports = closureOf(path, outputs).flatMap((each) => outputs[each].imports);
  const names = imports.filter(({ kind, external }) => kind === 'import-statement' && external).map((each) => each.path);
  return [...new Set(names)].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name)).sort();
};

const writeNotices = async (results) => {
  const folders = new Set(
    results
      .flatMap(({ metafile }) => Object.keys(metafile.inputs))
      .flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  const sections = await Promise.all([...folders].sort().map(noticeOf));
  const text = `# Third-party notices\n\nThe published files contain code of these packages. Written by \`npm run build\`.\n${sections.join('')}`;
  const before = await readFile('THIRD-PARTY-NOTICES.md', 'utf8').catch(() => '');
  if (text !== before) await writeFile('THIRD-PARTY-NOTICES.md', text);
};

const noticeOf = async (folder) => {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} is bundled and has no licence file in ${folder}`);
  const words = (await readFile(join(folder, file), 'utf8')).trim();
  return `\n## ${name} ${version} (${license})\n\n${words.replace(/^/gm, '    ').replace(/[ \t]+$/gm, '')}\n`;
};

const parts = [
  buildLibrary(),
  buildCommandLine(),
  buildSqlite(join(work, 'sqlite')),
  buildSsh2(join(work, 'ssh2')),
  buildClient(),
  ...(options.types ? [buildTypes(join(work, 'types'))] : []),
];
try {
  await Promise.allSettled(parts); // none may still be writing when the folder goes
  const [library, commandLine, ...brought] = await Promise.all(parts);
  await writeNotices([library, commandLine, ...brought.filter((each) => each?.metafile !== undefined)]);
  await rm(options.out, { recursive: true, force: true });
  await rename(work, options.out);
} catch (fault) {
  if (fault.errors === undefined) console.error(fault.stdout || fault.message); // esbuild has told its own
  await rm(work, { recursive: true, force: true });
  process.exitCode = 1;
}
