import { expect, test } from 'vitest';
import { parseModules } from './modules.ts';

test('linked modules are read from the program, and a replaced module is listed as its replacement, a modified one as itself', () => {
  const text = [
    '/tmp/program: go1.26.8',
    '\tpath\texample.com/program',
    '\tmod\texample.com/program\tv1.0.0\th1:own=',
    '\tdep\texample.com/one\tv1.2.3\th1:one=',
    '\tdep\texample.com/two\tv0.0.0',
    '\t=>\texample.com/fork\tv2.0.0\th1:fork=',
    '\tdep\texample.com/local\tv0.0.0',
    '\t=>\t./local\t(devel)\t',
    '\tdep\texample.com/stubbed\tv1.1.0',
    '\t=>\t./modified/example.com/stubbed\t(devel)\t',
    '\tbuild\tCGO_ENABLED=0',
  ].join('\n');
  expect(parseModules(text)).toEqual([
    { path: 'example.com/one', version: 'v1.2.3', sum: 'h1:one=' },
    { path: 'example.com/fork', version: 'v2.0.0', sum: 'h1:fork=' },
    { path: './local', version: '(devel)' },
    { path: 'example.com/stubbed', version: 'v1.1.0', isModified: true },
  ]);
});
