import { describe, expect, test } from 'vitest';
import { DEFAULTS } from '../../services/config/derived.generated.ts';
import { concernsCommands } from './concerns-commands.ts';

const FOLLOWED = ['connections', 'store', 'plugins', 'secrets', 'defaults', 'limits', 'notify', 'policy', 'network'];
const sections = Object.keys(DEFAULTS);

describe('a command reads', () => {
  test.each(FOLLOWED)('what [%s] says, however it is written', (name) => {
    for (const written of [
      `[${name}]`,
      `[http]\nport = 1\n  [ ${name} ]`,
      `[[${name}.x]]`,
      `${name}.x = 1`,
      ` ${name} = {}`,
      `"${name}" = {}`,
      `["${name}"]`,
    ])
      expect(concernsCommands(`${written}\n`), written).toBe(true);
  });

  test.each([
    '[polcy]',
    'x=',
    '[http',
    '["pol\\u0069cy"]',
    '\uFEFF[policy]',
    '\uFEFFpolicy.owner = true',
    '[httpx]',
    'http_x = 1',
    '[http]\r\nport = 1\r\n[policy]',
  ])('a file with %j, which may be a mistake or mean a section that counts', (toml) => expect(concernsCommands(toml)).toBe(true));
});

test.each(sections.filter((name) => !FOLLOWED.includes(name)))('a command passes over a file with nothing but [%s]', (name) => {
  for (const toml of [`# who listens\n\n[${name}]\nport = 1\n`, `[[${name}]]\nport = 1`, `${name}.port = 1\n`, `[${name}.x]`])
    expect(concernsCommands(toml), toml).toBe(false);
});
