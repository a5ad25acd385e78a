import { describe, expect, test } from 'vitest';
import { openCrewRoom as openRoom } from '../../../test/support/crew-room.ts';
import { OWNER_NAME } from '../../core/reach.ts';

describe('threads', () => {
  test('are started for the first command, and later ones only when none comes free', () => {
    const { add, ready, begun, threads, pass } = openRoom();
    const first = add('owner/a');
    ready();
    add('owner/b');
    expect(threads).toHaveLength(1);
    first.over();
    expect(begun()).toEqual(['owner/a owner/b']);
    add('owner/c');
    pass(20);
    expect(threads).toHaveLength(2);
  });

  test('are never more than allowed, and a run keeps its own', () => {
    const { add, ready, grow, begun, threads } = openRoom({ width: 2 });
    add('owner/a');
    ready();
    add('owner/b');
    grow();
    add('owner/c');
    grow();
    add('owner/a');
    expect(threads).toHaveLength(2);
    expect(begun()).toEqual(['owner/a owner/a', 'owner/b']);
  });

  test('beyond the processors are started only when nothing moves', () => {
    const { add, ready, threads, pass } = openRoom({ processors: 1 });
    let last = add('owner/0');
    ready();
    for (const at of ['1', '2', '3', '4', '5']) {
      const next = add(`owner/${at}`);
      pass(60);
      last.over();
      last = next;
    }
    expect(threads).toHaveLength(1);
    add('owner/late');
    pass(200);
    expect(threads).toHaveLength(2);
  });

  test('go from a run that does nothing there to one that waits', () => {
    const { add, ready, begun, left } = openRoom({ width: 1 });
    const resting = add('owner/a');
    ready();
    add('owner/b');
    resting.rest();
    expect(begun()).toEqual(['owner/a owner/b']);
    expect(left).toEqual(['owner/a left 0']);
  });

  test('that idle are dismissed but for one', () => {
    const { add, ready, grow, threads, pass } = openRoom();
    const first = add('owner/a');
    ready();
    const second = add('owner/b');
    grow();
    first.over();
    second.over();
    pass(120_000);
    expect(threads.filter(({ isDismissed }) => isDismissed)).toHaveLength(1);
  });

  test('that cannot start fail what waits instead of being started for ever', () => {
    const { add, threads } = openRoom();
    const { ended } = add('owner/a');
    threads[0]?.events.onExit('crashed');
    expect(ended).toEqual(['crashed']);
    expect(threads).toHaveLength(1);
  });
});

describe('callers', () => {
  test('with limits get half of the threads each', () => {
    const { add, grow, begun } = openRoom({ width: 4 });
    for (const run of ['1', '2', '3', '4']) {
      add(`ann/${run}`);
      grow();
    }
    expect(begun().filter((each) => each !== '')).toEqual(['ann/1', 'ann/2']);
    add('owner/a');
    grow();
    expect(begun().join(' ')).toContain('owner/a');
  });

  test('with limits have two works that may take much memory at once, all together; the owner has as many as threads', () => {
    const { add, ready, grow, begun } = openRoom({ width: 8, processors: 8 });
    const heavy = (key: string) => add(key, '/disk/file', true);
    const first = heavy('guest/a');
    ready();
    for (const key of ['guest/b', 'other/c', 'guest/d']) {
      heavy(key);
      grow();
    }
    expect(begun().filter((each) => each !== '')).toEqual(['guest/a', 'guest/b']);
    add('guest/e');
    heavy('owner/f');
    heavy('owner/g');
    for (let count = 0; count < 4; count += 1) grow();
    expect(
      begun()
        .filter((each) => each !== '')
        .sort(),
    ).toEqual(['guest/a', 'guest/b', 'guest/e', 'owner/f', 'owner/g']);
    first.over();
    expect(begun().join(' ')).toContain('other/c');
  });

  test('wait with a work that may take much memory also where their run has a thread', () => {
    const { add, ready, grow, begun } = openRoom({ width: 8, processors: 8 });
    const heavy = (key: string) => add(key, '/disk/file', true);
    const light = add('guest/a');
    ready();
    const one = heavy('other/b');
    grow();
    heavy('other/c');
    grow();
    light.rest();
    heavy('guest/a');
    expect(begun()[0]).toBe('guest/a');
    one.over();
    expect(begun()[0]).toBe('guest/a guest/a');
  });

  test('take turns, and the owner goes first who has none', () => {
    const { add, ready, begun } = openRoom({ width: 1 });
    const first = add('ann/1');
    ready();
    add('ann/2');
    add('bob/1');
    const own = add('owner/a');
    first.over();
    expect(begun()).toEqual(['ann/1 owner/a']);
    own.over();
    expect(begun()).toEqual(['ann/1 owner/a ann/2']);
  });
});

describe('a device that does not answer', () => {
  /** Commands on a silent device, until no further one is begun. */
  const stick = () => {
    const room = openRoom({ width: 4 });
    const stuck = Array.from({ length: 6 }, (_, at) => {
      const command = room.add(`owner/${at}`, '/dead/file');
      room.pass(500);
      room.ready();
      return command;
    });
    room.pass(1_000);
    return { ...room, stuck };
  };

  test('holds three threads, and others go on', () => {
    const { add, begun, grow } = stick();
    expect(begun().filter((each) => each !== '')).toEqual(['owner/0', 'owner/1', 'owner/2']);
    add('owner/other', '/disk/file');
    grow();
    expect(begun().join(' ')).toContain('owner/other');
    add('owner/late', '/dead/file');
    grow();
    expect(begun().join(' ')).not.toContain('owner/late');
  });

  test('gives what waits for it a thread when it answers', () => {
    const { threads, begun, stuck, grow } = stick();
    for (const { events } of threads) events.onPong(0);
    for (const { over } of stuck) {
      over();
      grow();
    }
    expect(begun().join(' ').split(' ').sort()).toEqual(stuck.map((_, at) => `owner/${at}`));
  });

  test('does not keep whoever gives up, whether its command was begun or not', () => {
    const { stuck, threads } = stick();
    const reason = new Error('enough');
    for (const { stop } of stuck) stop.abort(reason);
    expect(stuck.map(({ ended }) => ended)).toEqual(stuck.map(() => [reason]));
    expect(threads.filter(({ isEnded }) => isEnded)).toHaveLength(3);
  });

  test('is still bounded when those who waited for it have given up', () => {
    const { stuck, add, begun, grow } = stick();
    for (const { stop } of stuck) stop.abort(new Error('enough'));
    add('owner/late', '/dead/file');
    grow();
    expect(begun().join(' ')).not.toContain('owner/late');
    add('owner/other', '/disk/file');
    grow();
    expect(begun().join(' ')).toContain('owner/other');
  });
});

test('one place never has all threads, however lively its commands are', () => {
  const { add, grow, begun, pass, threads } = openRoom({ width: 4 });
  const live = () => {
    for (const { events } of threads) events.onPong(0);
  };
  for (let at = 0; at < 6; at += 1) {
    add(`owner/${at}`, '/far/file');
    pass(300, live);
    grow();
  }
  expect(begun().join(' ').trim()).toBe('owner/0 owner/1 owner/2');
  add('owner/other', '/disk/file');
  pass(300, live);
  grow();
  expect(begun().join(' ')).toContain('owner/other');
});

describe('a command that computes', () => {
  const spin = (caller: string) => {
    const room = openRoom({ maxSpinMs: 5_000 });
    const command = room.add(`${caller}/a`);
    room.ready();
    const [thread] = room.threads;
    const compute = (ms: number) =>
      room.pass(ms, (stepMs) => {
        if (thread !== undefined) thread.usedMs += stepMs;
      });
    return { ...room, ...command, thread, compute };
  };

  test('is ended after its time where its caller has limits', () => {
    const { compute, ended, thread } = spin('ann');
    compute(10_000);
    expect([ended, thread?.isEnded]).toEqual([['spinning'], true]);
  });

  test('goes on where it is the owner’s', () => {
    const { compute, ended } = spin(OWNER_NAME);
    compute(10_000);
    expect(ended).toEqual([]);
  });

  test('goes on where it gives signs of life', () => {
    const { pass, ended, thread } = spin('ann');
    pass(10_000, (stepMs) => {
      if (thread !== undefined) thread.usedMs += stepMs;
      thread?.events.onPong(0);
    });
    expect(ended).toEqual([]);
  });

  test('is ended a second after it should have stopped', () => {
    const { compute, ended, thread, stop } = spin(OWNER_NAME);
    compute(500);
    stop.abort(new Error('enough'));
    expect(thread?.aborted).toEqual(['owner/a']);
    compute(500);
    expect(ended).toEqual([]);
    compute(1_000);
    expect([ended, thread?.isEnded]).toEqual([[new Error('enough')], true]);
  });

  test('that clears up behind itself has longer', () => {
    const { pass, ended, thread, stop } = spin(OWNER_NAME);
    const live = () => thread?.events.onPong(0);
    pass(500, live);
    stop.abort(new Error('enough'));
    pass(20_000, live);
    expect(ended).toEqual([]);
    pass(20_000, live);
    expect(ended).toEqual([new Error('enough')]);
  });
});

test('a thread that dies of its memory fails its commands, and the next one gets another', () => {
  const { add, ready, threads, begun, grow } = openRoom();
  const { ended } = add('owner/a');
  ready();
  threads[0]?.events.onExit('memory');
  expect(ended).toEqual(['memory']);
  add('owner/b');
  grow();
  expect(begun()).toEqual(['owner/a', 'owner/b']);
});

test('closing fails what runs and what waits', () => {
  const { add, ready, crew, threads } = openRoom({ width: 1 });
  const commands = [add('owner/a')];
  ready();
  commands.push(add('owner/b'));
  crew.close();
  expect(commands.map(({ ended }) => ended)).toEqual([['closed'], ['closed']]);
  expect(threads[0]?.isEnded).toBe(true);
  expect(add('owner/c').ended).toEqual(['closed']);
});

describe('memory', () => {
  /** A thread of the owner and one of a limited caller, both silent and computing. */
  const openBusyRoom = () => {
    const room = openRoom();
    const own = room.add('owner/a');
    room.ready();
    const other = room.add('ann/b');
    room.grow();
    const compute = (stepMs: number) => {
      for (const thread of room.threads) thread.usedMs += stepMs;
    };
    return { ...room, own, other, compute };
  };

  test('that runs short ends the work of a limited caller, not the work of the owner', () => {
    const { process, own, other, pass, compute, threads } = openBusyRoom();
    process.taken += 300;
    pass(200, compute);
    expect([own.ended, other.ended]).toEqual([[], ['shared_memory']]);
    expect(threads.map(({ isEnded }) => isEnded)).toEqual([false, true]);
  });

  test('that a thread at rest still holds is given back before work is ended', () => {
    const { process, other, add, pass, compute, threads } = openBusyRoom();
    process.taken += 200;
    pass(200, compute);
    other.over();
    threads[1]?.events.onPong(200);
    const third = add('bob/c');
    expect(threads[1]?.begun).toEqual(['ann/b', 'bob/c']);
    third.over();
    process.taken += 100;
    pass(200, compute);
    expect(threads.map(({ isEnded, isDismissed }) => isEnded || isDismissed)).toEqual([false, true]);
  });
});
