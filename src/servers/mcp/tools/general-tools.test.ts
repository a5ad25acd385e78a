import { describe, expect, test } from 'vitest';
import { errorOf, openMcpHouse } from '../../../../test/support/mcp-house.ts';

describe('factotum_run', () => {
  test('runs a list and gives the result of every door', async () => {
    await using mcp = await openMcpHouse({ files: { 'a.txt': 'hi' } });
    const answer = await mcp.call('factotum_run', {
      actions: [
        ['FA_read_file', { file_path: 'a.txt' }],
        ['FA_create_file', { file_path: 'b.txt', content: '${results[0].value}!' }],
      ],
    });
    expect(answer.structuredContent).toMatchObject({ ok: true, counts: { ok: 2 } });
    expect(JSON.parse(answer.content[0]?.text ?? '')).toEqual(answer.structuredContent);
    expect(mcp.house.dir.read('b.txt')).toBe('hi!');
  });

  test('runs a graph', async () => {
    await using mcp = await openMcpHouse();
    const nodes = [
      { id: 'second', action: ['FA_copy_file', { file_path: 'a.txt', target_path: 'b.txt' }], depends_on: ['first'] },
      { id: 'first', action: ['FA_create_file', { file_path: 'a.txt', content: '1' }] },
    ];
    expect((await mcp.call('factotum_run', { nodes })).structuredContent).toMatchObject({ ok: true });
    expect(mcp.house.dir.read('b.txt')).toBe('1');
  });

  test('a list with a failure is an error that still has every entry', async () => {
    await using mcp = await openMcpHouse();
    const answer = await mcp.call('factotum_run', { actions: [['FA_read_file', { file_path: 'no' }], ['FA_list_dir']] });
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toMatchObject({ counts: { ok: 1, failed: 1 } });
  });

  test('a list that cannot be read is refused as a whole', async () => {
    await using mcp = await openMcpHouse();
    for (const [given, type] of [
      [{}, 'JsonActionException'],
      [{ actions: 5 }, 'JsonActionException'],
      [{ actions: [], acions: [] }, 'JsonActionException'],
      [{ nodes: [{ id: 'a', action: ['FA_list_dir'], depends_on: ['a'] }] }, 'DagException'],
      [{ actions: [['FA_list_dir']], expect_plan: 'x' }, 'PlanChangedException'],
    ] as const) {
      const answer = await mcp.call('factotum_run', given);
      expect(answer.isError).toBe(true);
      expect(errorOf(answer).type).toBe(type);
    }
  });
});

describe('factotum_plan', () => {
  test('tells the effects, changes nothing, and its hash lets exactly that run', async () => {
    await using mcp = await openMcpHouse();
    const list = { actions: [['FA_create_file', { file_path: 'a.txt', content: 'x' }]] };
    const plan = await mcp.call('factotum_plan', list);
    expect(plan.structuredContent).toMatchObject({
      counts: { planned: 1 },
      results: [{ plan: { effects: [{ kind: 'create', target: mcp.house.dir.at('a.txt') }] } }],
    });
    expect(mcp.house.dir.read('a.txt')).toBeUndefined();
    const run = await mcp.call('factotum_run', { ...list, expect_plan: plan.structuredContent?.plan_hash });
    expect(run.isError).toBeUndefined();
    expect(mcp.house.dir.read('a.txt')).toBe('x');
  });

  test('cannot be talked into running', async () => {
    await using mcp = await openMcpHouse();
    await mcp.call('factotum_plan', { actions: [['FA_t_touch']], dry_run: false });
    expect(mcp.house.touched).toBe(0);
  });
});

describe('factotum_find_actions', () => {
  test('finds by words, the best first, and tells how many there are', async () => {
    await using mcp = await openMcpHouse();
    const { structuredContent } = await mcp.call('factotum_find_actions', { query: 'copy a directory', limit: 2 });
    expect(structuredContent?.actions).toHaveLength(2);
    expect(structuredContent).toMatchObject({ actions: [{ name: 'FA_copy_dir', group: 'files', effects: ['reads', 'writes'] }, {}] });
    expect(Number(structuredContent?.total)).toBeGreaterThan(2);
  });

  test('holds a group when asked, and lists all without a query', async () => {
    await using mcp = await openMcpHouse();
    const { structuredContent } = await mcp.call('factotum_find_actions', { group: 'search', limit: 100 });
    const { registry } = mcp.house.factotum;
    const own = registry.names().filter((name) => registry.about(name)?.group === 'search');
    expect(structuredContent).toMatchObject({ actions: own.map((name) => ({ name })), total: own.length });
  });

  test('does not find what may not be run', async () => {
    await using mcp = await openMcpHouse({ readOnly: true });
    const found = await mcp.call('factotum_find_actions', { query: 'shell create copy', limit: 100 });
    expect(JSON.stringify(found.structuredContent)).not.toMatch(/"(?:writes|removes|executes|network)"/);
  });

  test('refuses what it does not understand', async () => {
    await using mcp = await openMcpHouse();
    for (const given of [{ query: 5 }, { limit: 0 }, { limit: 1000 }, { words: 'x' }, { query: 'x'.repeat(201) }]) {
      expect(errorOf(await mcp.call('factotum_find_actions', given)).type).toBe('ArgumentException');
    }
  });
});

describe('factotum_describe_action', () => {
  test('tells arguments, value, effects and examples, with every definition they refer to', async () => {
    await using mcp = await openMcpHouse();
    const { structuredContent } = await mcp.call('factotum_describe_action', { name: 'FA_for_each' });
    expect(structuredContent).toMatchObject({ name: 'FA_for_each', order: ['items', 'actions', 'max_workers', 'stop_on_error'] });
    expect(structuredContent).toHaveProperty(['arguments', '$defs', 'command']);
    expect(structuredContent).toHaveProperty(['returns', '$defs', 'outcome']);
  });

  test('knows aliases', async () => {
    await using mcp = await openMcpHouse();
    const { structuredContent } = await mcp.call('factotum_describe_action', { name: 'FA_grep_files' });
    expect(structuredContent?.name).toBe('FA_grep');
  });

  test('a refused name looks like one that does not exist', async () => {
    await using mcp = await openMcpHouse();
    const words = async (name: string) => errorOf(await mcp.call('factotum_describe_action', { name })).message.replaceAll(name, 'X');
    expect(await words('FA_run_shell')).toBe(await words('FA_qqqqqqqqqqqq'));
  });
});
