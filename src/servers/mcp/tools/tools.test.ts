import { describe, expect, test } from 'vitest';
import { fixtureActions } from '../../../../test/support/fixture-actions.ts';
import { errorOf, openMcpHouse } from '../../../../test/support/mcp-house.ts';

const GENERAL = ['factotum_run', 'factotum_plan', 'factotum_find_actions', 'factotum_describe_action'];
const READING = ['FA_read_file', 'FA_stat', 'FA_list_dir', 'FA_fast_find', 'FA_grep'];
const WRITING = ['FA_create_file', 'FA_copy_file', 'FA_move_file'];

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe('which tools are offered', () => {
  test('a dozen unless told otherwise', async () => {
    await using mcp = await openMcpHouse();
    expect(namesOf(await mcp.listTools())).toEqual([...GENERAL, ...READING, ...WRITING]);
  });

  test('only the general ones when compact', async () => {
    await using mcp = await openMcpHouse({ compact: true });
    expect(namesOf(await mcp.listTools())).toEqual(GENERAL);
  });

  test('groups are added, without what may not be run', async () => {
    await using mcp = await openMcpHouse({ toolsets: ['search', 'shell'] });
    const names = namesOf(await mcp.listTools());
    expect(names.slice(0, 12)).toEqual([...GENERAL, ...READING, ...WRITING]);
    expect(names.some((name) => name.includes('shell'))).toBe(false);
  });

  test('nothing that changes anything when read-only', async () => {
    await using mcp = await openMcpHouse({ readOnly: true, all: true });
    const tools = await mcp.listTools();
    expect(namesOf(tools)).toEqual(expect.arrayContaining([...GENERAL, ...READING]));
    expect(namesOf(tools).filter((name) => WRITING.includes(name))).toEqual([]);
    const { factotum } = mcp.house;
    const effects = new Set(namesOf(tools).flatMap((name) => factotum.registry.about(name)?.effects ?? []));
    expect([...effects].sort()).toEqual(['reads', 'steps']);
    expect(tools.find(({ name }) => name === 'factotum_run')?.annotations.readOnlyHint).toBe(true);
  });

  test('programs once they are granted', async () => {
    await using mcp = await openMcpHouse({ all: true, executes: true });
    const tools = await mcp.listTools();
    expect(tools.find(({ name }) => name === 'FA_run_shell')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
  });

  test('a tool set that does not exist is refused with the nearest name', async () => {
    await expect(openMcpHouse({ toolsets: ['serch'] })).rejects.toThrow('did you mean search?');
    await expect(openMcpHouse({ toolsets: ['search'], compact: true })).rejects.toThrow('compact');
  });

  test('a root that does not exist is refused', async () => {
    await expect(openMcpHouse({ roots: ['/nowhere/at/all'] })).rejects.toThrow('/nowhere/at/all');
  });

  test('an action is a tool as soon as it is registered, and no longer than that', async () => {
    await using mcp = await openMcpHouse({ toolsets: ['registered'] });
    const { registry } = mcp.house.factotum;
    expect(namesOf(await mcp.listTools())).toContain('FA_t_echo');
    registry.unregister('FA_t_echo');
    expect(namesOf(await mcp.listTools())).not.toContain('FA_t_echo');
    expect((await mcp.request('tools/call', { name: 'FA_t_echo', arguments: { value: 1 } })).error?.code).toBe(-32602);
    registry.register('FA_t_echo', fixtureActions().actions.FA_t_echo ?? (() => null));
    expect((await mcp.call('FA_t_echo', { value: 1 })).structuredContent).toEqual({ value: 1 });
  });
});

describe('what tools say of themselves', () => {
  test('name, schemas and hints come from the definition', async () => {
    await using mcp = await openMcpHouse();
    const tools = new Map((await mcp.listTools()).map((tool) => [tool.name, tool]));
    expect(tools.get('FA_stat')).toMatchObject({
      description: 'Tells kind, size, time and mode of a path, or null when nothing is there.',
      inputSchema: { type: 'object', required: ['path'], additionalProperties: false },
      outputSchema: { type: 'object', required: ['value'] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(tools.get('FA_move_file')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    });
  });

  test('every schema is one of an object without alternatives at the top, and says what lists hold', async () => {
    await using mcp = await openMcpHouse({ all: true, executes: true, network: true });
    for (const { name, inputSchema, outputSchema } of await mcp.listTools()) {
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema.type, name).toBe('object');
        expect(
          Object.keys(schema).filter((key) => ['anyOf', 'oneOf', 'allOf', '$ref'].includes(key)),
          name,
        ).toEqual([]);
        expect(JSON.stringify(schema), name).not.toMatch(/"type":"array"(?![^{}]*"items")(?=\})/);
      }
    }
  });
});

describe('what a call answers', () => {
  test('a text stands as it is, and under value in the structured part', async () => {
    await using mcp = await openMcpHouse({ files: { 'a.txt': 'hello\n' } });
    expect(await mcp.call('FA_read_file', { file_path: 'a.txt' })).toEqual({
      content: [{ type: 'text', text: 'hello\n' }],
      structuredContent: { value: 'hello\n' },
    });
  });

  test('notes are told beside the value', async () => {
    await using mcp = await openMcpHouse({ files: { 'a.txt': 'x\nx\nx\n' } });
    const answer = await mcp.call('FA_grep', { root: '.', pattern: 'x', max_matches: 1 });
    expect(answer.structuredContent?.notes).toMatchObject([{ kind: 'truncated' }]);
    expect(answer.content[1]?.text).toContain('cursor');
  });

  test('a failed action is an error with its type', async () => {
    await using mcp = await openMcpHouse();
    const answer = await mcp.call('FA_read_file', { file_path: 'nowhere.txt' });
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toBeUndefined();
    expect(errorOf(answer)).toMatchObject({ type: 'FileNotExistsException', context: { path: mcp.house.dir.at('nowhere.txt') } });
  });

  test('wrong arguments are an error that names the argument', async () => {
    await using mcp = await openMcpHouse();
    const answer = await mcp.call('FA_read_file', { file: 'a.txt' });
    expect(errorOf(answer)).toMatchObject({ type: 'ArgumentException', context: { argument: 'file' } });
  });

  test('an unknown tool is a fault of the protocol', async () => {
    await using mcp = await openMcpHouse();
    expect((await mcp.request('tools/call', { name: 'FA_zip_dir', arguments: {} })).error?.code).toBe(-32602);
    expect((await mcp.request('tools/call', { name: 5 })).error?.code).toBe(-32602);
    expect((await mcp.request('no/such/method')).error?.code).toBe(-32601);
  });

  test('what a tool is given is written as it is, references and all', async () => {
    await using mcp = await openMcpHouse();
    const content = 'echo "${HOME}" $${x} $$${y} ${results[0].value}\n';
    await mcp.call('FA_create_file', { file_path: 'a.sh', content });
    expect(mcp.house.dir.read('a.sh')).toBe(content);
  });

  test('nested lists keep their references', async () => {
    await using mcp = await openMcpHouse({ toolsets: ['flow'] });
    const actions = [['FA_create_file', { file_path: '${item}.txt', content: 'number ${index}' }]];
    await mcp.call('FA_for_each', { items: ['a', '${b}'], actions });
    expect(mcp.house.dir.read('a.txt')).toBe('number 0');
    expect(mcp.house.dir.read('${b}.txt')).toBe('number 1');
  });

  test('a known secret does not leave the house', async () => {
    await using mcp = await openMcpHouse({ files: { 'a.txt': 'the key is swordfish-1234' } });
    mcp.house.factotum.masker.learn('swordfish-1234');
    expect(JSON.stringify(await mcp.call('FA_read_file', { file_path: 'a.txt' }))).not.toContain('swordfish');
    expect(JSON.stringify(await mcp.call('FA_read_file', { file_path: 'swordfish-1234' }))).not.toContain('swordfish');
    expect(JSON.stringify(await mcp.call('factotum_run', { 'swordfish-1234': 1 }))).not.toContain('swordfish');
  });
});

describe('a tool whose call needs a yes', () => {
  const ask = async (tool: string, given: Record<string, unknown>) => {
    const mcp = await openMcpHouse({ files: { 'a.txt': 'x' }, requireApproval: 'destructive' });
    const refused = errorOf(await mcp.call(tool, given));
    const plan = String(refused.context.plan_hash);
    const approve = async () => (await mcp.house.factotum.state()).store.approvals.approve(plan, 'tester', 60_000);
    return { mcp, refused, plan, approve, again: () => mcp.call(tool, { ...given, expect_plan: plan }) };
  };

  test.each<[string, Record<string, unknown>, string]>([
    ['FA_create_file', { file_path: 'made.txt', content: '${date} as it is' }, 'made.txt'],
    ['FA_move_file', { file_path: 'a.txt', target_path: 'made.txt' }, 'made.txt'],
    ['factotum_run', { actions: [['FA_create_file', { file_path: 'made-${uuid}.txt' }]] }, ''],
  ])('%s says how to make it again, and takes the plan', async (tool, given, made) => {
    const { mcp, refused, plan, approve, again } = await ask(tool, given);
    await using _ = mcp;
    expect(refused).toMatchObject({ type: 'PolicyException', context: { rule: 'require_approval' } });
    expect(refused.message).toContain(`factotum approve ${plan}`);
    expect(refused.message).toContain(`"expect_plan": "${plan}"`);
    if (tool !== 'factotum_run') expect(refused.message).toContain(`call ${tool} again with the same arguments`);
    if (tool !== 'factotum_run') expect(refused.message).toContain('factotum_plan');
    expect((await again()).isError).toBe(true);
    expect(mcp.house.dir.read('made.txt')).toBeUndefined();
    await approve();
    expect((await again()).isError).not.toBe(true);
    if (made !== '') expect(mcp.house.dir.read(made)).toBeDefined();
  });

  test('takes no other plan', async () => {
    const { mcp, approve } = await ask('FA_create_file', { file_path: 'made.txt' });
    await using _ = mcp;
    await approve();
    const call = (expect_plan: unknown) => mcp.call('FA_create_file', { file_path: 'made.txt', expect_plan });
    expect(errorOf(await call('another')).type).toBe('PlanChangedException');
    expect(errorOf(await call(5)).message).toContain('"expect_plan" must be a text');
    expect(mcp.house.dir.read('made.txt')).toBeUndefined();
  });

  test('and those that need none take one too', async () => {
    await using mcp = await openMcpHouse({ files: { 'a.txt': 'x' } });
    const plan = await mcp.call('factotum_plan', { actions: [['FA_read_file', { file_path: 'a.txt' }]] });
    const { plan_hash } = plan.structuredContent ?? {};
    expect((await mcp.call('FA_read_file', { file_path: 'a.txt', expect_plan: plan_hash })).structuredContent).toMatchObject({
      value: 'x',
    });
  });
});

test('a plan that is not complete says so in words', async () => {
  await using mcp = await openMcpHouse({ files: { 'a.txt': 'x' } });
  const read = ['FA_read_file', { file_path: 'a.txt' }];
  const whole = await mcp.call('factotum_plan', { actions: [read] });
  expect(whole.content).toHaveLength(1);
  const part = await mcp.call('factotum_plan', { actions: [read, ['FA_create_file', ['b.txt', '${results[0].value}']]] });
  expect(part.content[1]?.text).toBe('This plan is not complete: more than this may happen when it runs.');
});

describe('a long answer', () => {
  test('is the same JSON in both places', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => ({ at, text: 'ü"\n' }));
    await using mcp = await openMcpHouse({ toolsets: ['data'], files: { 'a.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') } });
    const { content, structuredContent } = await mcp.call('FA_jsonl_iter', { path: 'a.jsonl' });
    expect(content[0]?.text).toBe(JSON.stringify(rows));
    expect(structuredContent).toEqual({ value: rows });
  });

  test('that no host could take is told as such, with the run', async () => {
    await using mcp = await openMcpHouse({ files: { 'a.jsonl': '{}\n'.repeat(600_000) } });
    const answer = await mcp.call('factotum_run', { actions: [['FA_jsonl_iter', { path: 'a.jsonl' }]] });
    expect(errorOf(answer)).toMatchObject({
      type: 'QuotaExceededException',
      context: { limit: 'answer', run_id: expect.stringMatching(/./) },
    });
  });
});
