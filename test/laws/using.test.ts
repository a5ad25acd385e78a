import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * The build lowers `using` with variables of the function. In a loop that catches the fault of one turn and goes on, every later turn
 * would throw that fault again. What is held goes into a function of its own, which the loop calls.
 */
const heldInLoops = (file: string, text: string): string[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node, { isLoop, isCaught }: { readonly isLoop: boolean; readonly isCaught: boolean }): void => {
    if (isLoop && isCaught && ts.isVariableDeclarationList(node) && /^(?:await )?using /.test(node.getText()))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    const isInner = ts.isFunctionLike(node);
    const isNowLoop = !isInner && (isLoop || ts.isIterationStatement(node, false));
    ts.forEachChild(node, (child) => {
      const isTried = ts.isTryStatement(node) && child === node.tryBlock && goesOn(node.catchClause);
      visit(child, { isLoop: isNowLoop, isCaught: !isInner && (isCaught || isTried) });
    });
  };
  visit(source, { isLoop: false, isCaught: false });
  return found;
};

/** Whether something may come behind a fault. */
const goesOn = (handler: ts.CatchClause | undefined): boolean => {
  const last = handler?.block.statements.at(-1);
  return handler !== undefined && (last === undefined || !(ts.isThrowStatement(last) || ts.isReturnStatement(last)));
};

test.each([
  ['for (const a of b) { try { using c = d(a); } catch { e(); } }', 1],
  ['for (const a of b) { try { await using c = d(a); } catch {} }', 1],
  ['for (const a of b) { try { using c = d(a); } catch (f) { throw g(f); } }', 0],
  ['for (const a of b) { try { (() => { using c = d(a); })(); } catch { e(); } }', 0],
  ['try { using c = d(a); } catch { e(); }', 0],
])('the law reads %s', (text, count) => expect(heldInLoops('x.ts', text)).toHaveLength(count));

test('no loop holds something by `using`, catches its fault and goes on', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  expect(files.flatMap((file) => heldInLoops(join('src', file), readFileSync(join('src', file), 'utf8')))).toEqual([]);
});
