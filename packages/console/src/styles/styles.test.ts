import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..');
const read = (pattern: string) =>
  globSync(pattern, { cwd: source, exclude: ['**/*.test.*'] }).map((file) => ({
    file,
    text: readFileSync(join(source, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''),
  }));
const sheets = read('**/*.css');

/** The brand's own colours; all others come from PatternFly. */
const brand = ['--nova-brand-from: #5b8cff', '--nova-brand-to: #8a4dff'];
const rawColor =
  /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(|:\s*(?:black|white|red|green|blue|gray|grey|orange|yellow|purple)\b/gi;

/** Heights that scripts depend on: a row of a long list, and a line of a log. */
const fixedHeights = ['height: 44px', 'max-height: 44px', 'line-height: 20px', 'height: 20px'];
/** Properties that PatternFly has tokens for. */
const withTokens = /^(padding|margin|gap|inset|border|outline|font-size|font-weight|box-shadow)/;

test('colours come from PatternFly', () => {
  const found = [...sheets, ...read('**/*.{ts,tsx}')].flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => !brand.some((each) => line.includes(each)))
      .flatMap((line) => [...line.matchAll(rawColor)].map(([color]) => `${file}: ${color}`)),
  );
  expect(found).toEqual([]);
});

test('spacing, borders and fonts come from PatternFly, and pixels are rare', () => {
  const found = sheets.flatMap(({ file, text }) =>
    [...text.matchAll(/^\s*([a-z-]+): ([^;{]+);/gm)]
      .map(([, property = '', value = '']) => ({ property, value, line: `${property}: ${value}` }))
      .filter(
        ({ property, value, line }) =>
          !fixedHeights.includes(line) &&
          (/\d(px)\b/.test(value) || (withTokens.test(property) && /\b[1-9.]\d*(rem|em)\b|^\d{3}$/.test(value))),
      )
      .map(({ line }) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test('one rule draws the focus ring of all controls', () => {
  const rings = sheets.flatMap(({ file, text }) =>
    [...text.matchAll(/^\s*outline(-width|-style|-color)?:/gm)].map(() => file),
  );
  expect(rings).toEqual([join('styles', 'base.css')]);
});

test('every style sheet belongs to a component that imports it', () => {
  const imported = new Set(
    read('**/*.tsx').flatMap(({ file, text }) =>
      [...text.matchAll(/^import '(\.[^']+\.css)';/gm)].map(([, sheet = '']) => join(file, '..', sheet)),
    ),
  );
  expect(sheets.map(({ file }) => file).filter((file) => !imported.has(file))).toEqual([]);
});

test('every nova- class in a style sheet is used', () => {
  const code = read('**/*.{ts,tsx}')
    .map(({ text }) => text)
    .join('\n');
  /** Class names composed of a prefix and a state: `nova-label-${look}`. */
  const composed = [...code.matchAll(/(nova-[a-z-]+-)\$\{/g)].map(([, start = '']) => start);
  const styled = new Set(sheets.flatMap(({ text }) => text.match(/(?<=\.)nova-[\w-]+/g) ?? []));
  expect(
    [...styled].filter(
      (name) => !new RegExp(`\\b${name}(?![\\w-])`).test(code) && !composed.some((start) => name.startsWith(start)),
    ),
  ).toEqual([]);
});
