import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorAreas, errors } from './index.ts';

const folder = join(import.meta.dirname, '..');
const parameters = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

test.each(Object.entries(errors))(
  '%s has texts in both languages with the same parameters',
  (_, { message, remedy }) => {
    for (const { en, ru } of [message, remedy]) {
      expect(parameters(ru)).toEqual(parameters(en));
      expect(en).toMatch(/^[^а-яё]+$/i);
      expect(ru.replaceAll(/\{\w+\}/g, 'я')).toMatch(/[а-яё]/i);
    }
  },
);

test('every error that this package reports occurs in a test', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const codesIn = (names: string[]) =>
    new Set(names.flatMap((file) => readFileSync(`${folder}/${file}`, 'utf8').match(/\bNOVA\d{4}\b/g) ?? []));
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const sources = files.filter((file) => !tests.includes(file) && !file.startsWith('errors/'));
  expect([...codesIn(sources).difference(codesIn(tests))]).toEqual([]);
});

test('every code belongs to one area and has an HTTP status', () => {
  const codes = errorAreas.flatMap((area) => Object.keys(area.errors));
  expect(codes.toSorted()).toEqual(Object.keys(errors).toSorted());
  for (const { name, errors: own } of errorAreas)
    for (const entry of Object.values(own)) {
      expect(entry.area).toBe(name);
      expect(entry.status).toBeGreaterThanOrEqual(400);
    }
});
