import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import corpus from '../../test/fixtures/corpus/secrets-masking.json' with { type: 'json' };
import { ShellException } from '../core/errors.ts';
import { createMasker, type Masker } from './mask.ts';
import { formsOf } from './secret-forms.ts';

interface Case {
  readonly id: string;
  readonly why: string;
  readonly secrets: readonly string[];
  readonly input?: unknown;
  readonly expect: unknown;
}

const maskerKnowing = (...secrets: readonly string[]): Masker => {
  const masker = createMasker();
  for (const secret of secrets) masker.learn(secret);
  return masker;
};

/** Values without the mask's own character, which could leave a form made of masks. */
const secretText = fc.string({ unit: 'binary', minLength: 6, maxLength: 40 }).filter((text) => !text.includes('*'));

describe('the table of masking', () => {
  const cases: readonly Case[] = corpus.cases;
  for (const { id, why, secrets, input, expect: expected } of cases.filter((each) => each.input !== undefined)) {
    test(`${id}: ${why}`, () => {
      const masker = maskerKnowing(...secrets);
      expect(masker.json(input)).toEqual(expected);
      if (typeof input === 'string') expect(masker.text(input)).toBe(expected);
    });
  }
});

describe('known secrets', () => {
  test('leave no form of themselves in a text or in the texts of a value', () => {
    fc.assert(
      fc.property(
        fc.array(secretText, { minLength: 1, maxLength: 4 }),
        fc.array(fc.string(), { maxLength: 9 }),
        fc.nat(),
        (secrets, around, pick) => {
          const masker = maskerKnowing(...secrets);
          const forms = secrets.flatMap((secret) => [...formsOf(secret)]);
          const whole = around.join(forms[pick % forms.length]);
          for (const shown of [masker.knownText(whole), masker.text(whole), JSON.stringify(masker.known({ [whole]: [whole] }))]) {
            expect(forms.filter((form) => shown.includes(form))).toEqual([]);
          }
        },
      ),
    );
  });

  test('may be learned twice and while others are already masked', () => {
    const masker = maskerKnowing('first-secret', 'first-secret');
    expect(masker.knownText('first-secret second-secret')).toBe('*** second-secret');
    masker.learn('second-secret');
    expect(masker.knownText('first-secret second-secret')).toBe('*** ***');
  });
});

describe('values', () => {
  test('without a secret come back as the same reference', () => {
    const masker = maskerKnowing('not-in-there-4711');
    fc.assert(fc.property(fc.jsonValue(), (value) => Object.is(masker.known(value), value)));
    const record = { name: 'x', list: [1, { deep: null }], password: null, token: '***' };
    expect(masker.json(record)).toBe(record);
    expect(createMasker().known(record)).toBe(record);
  });

  test('in answers keep what stands under a key named password', () => {
    expect(maskerKnowing('tok-0123456789').known({ password: 'mine', note: 'is tok-0123456789' })).toEqual({
      password: 'mine',
      note: 'is ***',
    });
  });

  test('of a class are masked as JSON shows them', () => {
    const masker = maskerKnowing('tok-0123456789');
    const error = new ShellException('echo tok-0123456789 failed; see the log.', { context: { argument: 'tok-0123456789' } });
    expect(masker.json({ error })).toEqual({
      error: { type: 'ShellException', message: 'echo *** failed; see the log.', retryable: false, context: { argument: '***' } },
    });
    expect(masker.known([Object.assign(Object.create({}), { note: 'tok-0123456789' })])).toEqual([{ note: '***' }]);
  });

  test('keep __proto__ as an ordinary key', () => {
    const masked = maskerKnowing('tok-0123456789').json(JSON.parse('{"__proto__":{"password":"x","a":"tok-0123456789"}}'));
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"password":"***","a":"***"}}');
  });
});

describe('a variable of the environment', () => {
  const isLearnt = (name: string, listed: readonly string[] = []) => {
    const masker = createMasker(listed);
    masker.learnVariable(name, 'a-value-to-hide');
    return masker.knownText('a-value-to-hide') === '***';
  };
  test.each(['GITHUB_TOKEN', 'MY_SECRET', 'DB_PASSWORD', 'API_KEY', 'AWS_CREDENTIALS', 'BASIC_AUTH', 'tok'])(
    'called %s is a secret',
    (name) => expect(isLearnt(name)).toBe(true),
  );

  test.each(['HOME', 'PATH', 'LANG', 'PWD', ''])('called %s is none', (name) => expect(isLearnt(name)).toBe(false));

  test('that was listed is a secret whatever it is called', () => {
    expect(isLearnt('PLAIN', ['PLAIN'])).toBe(true);
  });
});
