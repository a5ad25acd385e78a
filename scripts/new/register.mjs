/** Lines longer than this are broken by the formatter. */
const WIDTH = 140;

/** The text of a family's index with one more action: its import, and its name at the end of `actions`. */
export const withAction = (index, from, name) => withName(withImport(index, `import { ${name} } from '${from}';`, from), name);

const withImport = (index, line, from) => {
  const imports = [...index.matchAll(/^import .* from '([^']+)';\n/gm)];
  const last = imports.at(-1);
  if (last === undefined) return `${line}\n${index}`;
  const next = imports.find(([, path]) => path.startsWith('./') && path > from);
  const at = next?.index ?? last.index + last[0].length;
  return `${index.slice(0, at)}${line}\n${index.slice(at)}`;
};

const withName = (index, name) => {
  const family = index.indexOf('defineFamily({');
  const list = index.indexOf('actions: [', family);
  if (family === -1 || list === -1) throw new Error(`index.ts has no list of actions that could be extended; add ${name} to it by hand.`);
  const open = list + 'actions: '.length;
  const close = closingBracket(index, open);
  const items = index.slice(open + 1, close);
  return `${index.slice(0, open)}${extended(items, name, lengthOfLine(index, open, close))}${index.slice(close + 1)}`;
};

const closingBracket = (text, open) => {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1;
    if (text[at] === ']') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error('index.ts has a list of actions without end.');
};

const lengthOfLine = (text, open, close) => text.indexOf('\n', close) - text.lastIndexOf('\n', open) - 1;

/** On one line while that fits, else one name a line. */
const extended = (items, name, lineLength) => {
  const isOneLine = !items.includes('\n');
  if (isOneLine && lineLength + `, ${name}`.length <= WIDTH) return items === '' ? `[${name}]` : `[${items}, ${name}]`;
  const names = isOneLine ? items.split(', ') : [items.trim().replace(/,$/, '')];
  return `[\n${[...names, name].map((each) => `    ${each},\n`).join('')}  ]`;
};
