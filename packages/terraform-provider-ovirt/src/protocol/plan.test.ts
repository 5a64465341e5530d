import { describe, expect, test } from 'vitest';
import { plan, refreshed } from './plan.ts';
import type { Block } from './schema.ts';
import { type Fields, unknown } from './values.ts';

const block: Block = {
  description: '',
  attributes: {
    id: { type: 'string', mode: 'computed', description: '' },
    status: { type: 'string', mode: 'computed', isVolatile: true, description: '' },
    name: { type: 'string', mode: 'required', description: '' },
    comment: { type: 'string', mode: 'optional', description: '' },
    cluster: { type: 'string', mode: 'required', replaces: true, description: '' },
    script: { type: 'string', mode: 'optional', replaces: 'unreadable', description: '' },
    memory: { type: 'number', mode: 'adopted', description: '' },
    behavior: { type: 'string', mode: 'adopted', default: 'shutdown', description: '' },
    size: {
      type: 'number',
      mode: 'optional',
      replaces: (before, after) => Number(after) < Number(before),
      description: '',
    },
  },
};

const none: Fields = Object.fromEntries(Object.keys(block.attributes).map((name) => [name, null]));
const config: Fields = { ...none, name: 'a', cluster: 'c', size: 10 };
const prior: Fields = { ...config, id: '1', status: 'up', memory: 512, behavior: 'shutdown' };

const planned = (changes: Fields, isImported = false, before: Fields = prior) =>
  plan({ block, prior: before, proposed: { ...before, ...changes }, config: { ...config, ...changes }, isImported });

describe('a plan', () => {
  test('leaves what only the engine knows open for a new object, and fills in defaults', () => {
    const { state } = plan({ block, prior: null, proposed: config, config, isImported: false });
    expect(state).toEqual({ ...config, id: unknown, status: unknown, memory: unknown, behavior: 'shutdown' });
  });

  test('is empty without a change', () => {
    expect(planned({})).toEqual({ state: prior, replacing: [] });
  });

  test('keeps what the engine has chosen, and opens what any change may change', () => {
    expect(planned({ name: 'b' })).toEqual({ state: { ...prior, name: 'b', status: unknown }, replacing: [] });
  });

  test('replaces the object for what cannot change in place', () => {
    expect(planned({ cluster: 'd' }).replacing).toEqual(['cluster']);
    expect(planned({ script: 'new' }).replacing).toEqual(['script']);
    expect(planned({ size: 5 }).replacing).toEqual(['size']);
    expect(planned({ size: 20 }).replacing).toEqual([]);
  });

  test('does not replace an imported object for what the engine does not report', () => {
    expect(planned({ script: 'new' }, true).replacing).toEqual([]);
    expect(planned({ script: 'new' }, true, { ...prior, script: 'old' }).replacing).toEqual(['script']);
  });
});

describe('a refreshed state', () => {
  test('shows what the engine reports, and keeps what it does not report', () => {
    expect(refreshed({ ...prior, script: 'own' }, { memory: 1024 })).toEqual({ ...prior, script: 'own', memory: 1024 });
  });

  test('has no difference between an empty text and none', () => {
    expect(refreshed(prior, { comment: '' })).toEqual(prior);
    expect(refreshed(prior, { comment: 'other' })).toEqual({ ...prior, comment: 'other' });
  });
});
