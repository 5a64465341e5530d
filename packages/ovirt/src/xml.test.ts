import { ProblemError } from '@nova-platform/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseXml, type Received, writeJson, writeXml } from './xml.ts';

const refusal = (text: string): string => {
  try {
    parseXml(text);
  } catch (error) {
    if (error instanceof ProblemError)
      return error.problems.map(({ code, params }) => `${code} ${JSON.stringify(params.reason)}`).join();
    throw error;
  }
  return 'accepted';
};

test('attributes and children become fields, repeated children arrays', () => {
  const text = `<?xml version="1.0"?><vm id="1"><name>a &amp; b</name><empty/><cpu><topology><cores>2</cores></topology></cpu>
    <disk><id>x</id></disk><disk><![CDATA[<y>]]></disk></vm>`;
  expect(parseXml(text)).toEqual({
    id: '1',
    name: 'a & b',
    empty: '',
    cpu: { topology: { cores: '2' } },
    disk: [{ id: 'x' }, '<y>'],
  });
});

test('the space of a text is kept', () => {
  expect(parseXml('<script>a:\n  - b\n</script>')).toBe('a:\n  - b\n');
});

test.each([
  [
    'an entity that expands',
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>',
    'NOVA7606 "it has a DTD"',
  ],
  [
    'a file as an entity',
    '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>',
    'NOVA7606 "it has a DTD"',
  ],
  ['an external DTD', '<!DOCTYPE x SYSTEM "http://192.0.2.1/x.dtd"><x/>', 'NOVA7606 "it has a DTD"'],
  ['a parameter entity', '<!DOCTYPE x [<!ENTITY % p "x">%p;]><x/>', 'NOVA7606 "it has a DTD"'],
  ['an unknown entity', '<x>&nbsp;</x>', 'NOVA7606 "Invalid character entity"'],
  ['elements without end', '<x>'.repeat(100_000), 'NOVA7606 "its elements are nested more than 24 levels deep"'],
  ['too many elements', `<x>${'<y/>'.repeat(10_001)}</x>`, 'NOVA7606 "it has more than 10000 elements"'],
  ['two roots', '<x/><y/>', 'NOVA7606 "it has more than one root element"'],
  ['text beside children', '<x>text<y/></x>', 'NOVA7606 "the element x has text besides its children"'],
  ['an element without its end', '<x><y></x>', 'NOVA7606 "Unexpected close tag"'],
  ['nothing', '', 'NOVA7606 "it has no element"'],
  ['text alone', 'hello', 'NOVA7606 "Non-whitespace before first tag."'],
])('%s is refused', (_name, text, expected) => {
  expect(refusal(text)).toBe(expected);
});

test('names of prototypes are plain fields', () => {
  const parsed = parseXml('<x><__proto__><polluted>1</polluted></__proto__></x>') as object;
  expect(Object.getPrototypeOf(parsed)).toBeNull();
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('what is written is read again', () => {
  const text = fc.string({ unit: 'binary' }).map((value) => value.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ''));
  const leaf = text.filter((value) => value.trim() !== '');
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), leaf, { minKeys: 1 }), (fields) => {
      const { __proto__: _none, ...own } = fields as Record<string, string>;
      expect({ ...(parseXml(writeXml('x', own)) as Record<string, Received>) }).toEqual(own);
    }),
  );
});

test('characters that XML cannot have are replaced', () => {
  expect(writeXml('x', { name: 'a\u0000b\ud800<' })).toContain('<x><name>a\ufffdb\ufffd&lt;</name></x>');
});

test('lists repeat their element, and undefined fields are left out', () => {
  const value = { vm: [{ id: '1', memory: 5, isUp: true, none: undefined }, { id: '2' }] };
  expect(writeXml('vms', value)).toContain(
    '<vms><vm id="1"><memory>5</memory><isUp>true</isUp></vm><vm id="2"/></vms>',
  );
  expect(writeJson(value)).toBe('{"vm":[{"id":"1","memory":"5","isUp":"true"},{"id":"2"}]}');
});
