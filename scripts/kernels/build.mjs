// Compiles every src/lib/kernels/*/kernel.ts (AssemblyScript) to WebAssembly with SIMD, embedded as base64 in kernel.generated.ts beside it.
// node scripts/kernels/build.mjs [--check]   --check writes nothing and fails when a file is stale
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';

const ROOM = 'src/lib/kernels';
const FLAGS = ['-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--initialMemory', '1'];

const compile = async (source) => {
  const outputs = new Map();
  const { error, stderr } = await asc.main([source, ...FLAGS, '--outFile', 'kernel.wasm'], {
    readFile: (name, base) => (existsSync(join(base, name)) ? readFileSync(join(base, name), 'utf8') : null),
    writeFile: (name, contents) => void outputs.set(name, contents),
    listFiles: () => [],
  });
  if (error) throw new Error(`${source}: ${stderr.toString()}`);
  return Buffer.from(outputs.get('kernel.wasm'));
};

const generated = (wasm) => `// Written by \`node scripts/kernels/build.mjs\` from kernel.ts.
/** The compiled kernel: WebAssembly with SIMD, base64. */
export const KERNEL_BASE64 =
  '${wasm.toString('base64')}';
`;

let stale = 0;
const kernels = readdirSync(ROOM).filter((name) => existsSync(join(ROOM, name, 'kernel.ts')));
for (const name of kernels) {
  const wasm = await compile(join(ROOM, name, 'kernel.ts'));
  const target = join(ROOM, name, 'kernel.generated.ts');
  const text = generated(wasm);
  if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
  stale += 1;
  if (process.argv.includes('--check')) console.error(`stale: ${target}; run node scripts/kernels/build.mjs`);
  else {
    writeFileSync(target, text);
    console.log(`${target}: ${wasm.byteLength} bytes of WebAssembly`);
  }
}
if (process.argv.includes('--check')) process.exitCode = stale === 0 ? 0 : 1;
else console.log(`${stale} of ${kernels.length} kernels written`);
