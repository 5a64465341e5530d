import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSealer } from './index.ts';
import { codes } from './testing.ts';

const sealer = createSealer(randomBytes(32));
const text = fc.string({ unit: 'grapheme' });

describe('a sealed secret', () => {
  test('opens to the original text', () => {
    fc.assert(
      fc.property(text, text, (plain, context) => {
        const sealed = sealer.seal(plain, context);
        expect(sealed).toMatch(/^v1:[A-Za-z0-9+/]+=*$/);
        expect(sealer.open(sealed, context)).toBe(plain);
      }),
    );
  });

  test('hides the text, and hides that two secrets are equal', () => {
    expect(sealer.seal('secret', 'a')).not.toBe(sealer.seal('secret', 'a'));
    expect(Buffer.from(sealer.seal('secret', 'a').slice(3), 'base64').includes('secret')).toBe(false);
  });

  test('cannot replace another secret', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, async (plain, context, other) => {
        fc.pre(context !== other);
        const sealed = sealer.seal(plain, context);
        expect(await codes(() => sealer.open(sealed, other))).toEqual(['NOVA8104']);
      }),
    );
  });

  test('cannot be opened with another master key', async () => {
    const sealed = sealer.seal('secret', 'authority/universe');
    const other = createSealer(randomBytes(32));
    expect(await codes(() => other.open(sealed, 'authority/universe'))).toEqual(['NOVA8104']);
  });

  test('cannot be opened after any character is changed, added or removed', async () => {
    // Lengths that give zero, one and two padding characters.
    for (const plain of ['', 's', 'se', 'sec', 'secret']) {
      const sealed = sealer.seal(plain, 'x');
      for (let at = 0; at < sealed.length; at += 1) {
        for (const put of ['', 'A', 'B', '/', '=', ' ', `${sealed[at]}A`]) {
          const changed = sealed.slice(0, at) + put + sealed.slice(at + 1);
          if (changed !== sealed) expect(await codes(() => sealer.open(changed, 'x')), changed).toEqual(['NOVA8104']);
        }
      }
    }
  });

  test('cannot be opened from arbitrary text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          text,
          fc.base64String().map((body) => `v1:${body}`),
        ),
        async (sealed) => {
          expect(await codes(() => sealer.open(sealed, 'x'))).toEqual(['NOVA8104']);
        },
      ),
    );
  });
});

test('a master key of the wrong length is rejected', () => {
  expect(() => createSealer(randomBytes(16))).toThrow('32 bytes');
});

test('a fingerprint is equal only for the same secret, context and master key', () => {
  const key = randomBytes(32);
  const [one, same, other] = [createSealer(key), createSealer(key), createSealer(randomBytes(32))];
  const fingerprint = one.fingerprint('secret', 'a');
  expect(same.fingerprint('secret', 'a')).toBe(fingerprint);
  const others = [one.fingerprint('secre', 'ta'), one.fingerprint('secret', 'b'), other.fingerprint('secret', 'a')];
  expect(new Set([fingerprint, ...others]).size).toBe(4);
});
