import { expect, test } from 'vitest';
import { type ModuleValue, type PlanFacts, renderValue } from './module-values.ts';

const plan: PlanFacts = {
  isIngressShared: true,
  novaDnsAddress: '10.233.63.254',
  novaDnsCorefile: '',
  novaDnsDigest: '012345678901',
  novaDnsZone: 'one\ntwo\n',
};
const settings = { path: '/data', isOn: false, hosts: ['a', 'b'] };

/** A placeholder, written so that the linter does not mistake it for a JavaScript template. */
const of = (text: string) => `\${${text}}`;

test.each<[promise: string, value: ModuleValue, rendered: string]>([
  ['a placeholder is replaced', `${of('settings.path')}/${of('plan.novaDnsAddress')}`, '/data/10.233.63.254'],
  ['a quoted value stays one string', of('plan.novaDnsZone | quote'), String.raw`"one\ntwo\n"`],
  ['a quoted number stays a string', of('plan.novaDnsDigest|quote'), '"012345678901"'],
  ['a list is rendered as JSON, which is also YAML', of('settings.hosts'), '["a","b"]'],
  ['a setting without a value is rendered as an empty string', `<${of('settings.none')}>`, '<>'],
  ['a choice takes the first text if its condition is true', { if: 'plan.isIngressShared', use: 'a', else: 'b' }, 'a'],
  ['a choice takes the second text otherwise', { if: 'settings.isOn', use: 'a', else: of('settings.path') }, '/data'],
  ['a text without placeholders is a constant', 'nginx', 'nginx'],
])('%s', (_, value, rendered) => {
  expect(renderValue(value, { settings, plan })).toBe(rendered);
});
