import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { createPolicy } from '../../access/policy.ts';

test('what nobody can approve is named with where it stands, in nested lists too', async () => {
  await using house = openHouse();
  const policy = createPolicy({ readWrite: [house.dir.path], requireApproval: 'destructive' });
  const list = [
    ['FA_t_echo', { value: 'a.txt' }],
    ['FA_for_each', { items: '${results[0].value}', actions: [['FA_list_actions'], ['FA_remove_file', ['${item}']]] }],
  ];
  await expect(house.factotum.run(list, { caller: { name: 'guest', remote: true, policy } })).rejects.toMatchObject({
    message: expect.stringContaining('file_path of command 1 (FA_remove_file) in command 1 (FA_for_each)'),
    context: { index: 1, at: [1, 1], action: 'FA_remove_file' },
  });
});
