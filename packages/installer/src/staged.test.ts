import { readFileSync } from 'node:fs';
import { loadDocuments } from '@nova-platform/api';
import { checkAgainstPlans, planOf } from '@nova-platform/plan';
import { expect, test } from 'vitest';
import { type Available, isStaged, staged } from './staged.ts';
import { firstClusterManifest } from './steps/first-cluster.ts';

const example = readFileSync(firstClusterManifest, 'utf8');
const modulesIn = (text: string) => {
  const documents = checkAgainstPlans(loadDocuments([{ name: 'demo.yaml', text }]), []);
  const { release, modules } = planOf(documents, undefined, { newestRelease: '9.9.9' }).plan;
  return { release, modules: modules.map(({ name }) => name) };
};

test('modules are added to the first cluster as they become available', () => {
  const stages: Available[] = [
    { modules: [], isComplete: false },
    { release: '0.1.0-aaaa', modules: ['local-path'], isComplete: false },
    { release: '0.1.0', modules: ['local-path', 'ingress', 'nova-dns', 'metrics-server'], isComplete: true },
  ];
  let text = example;
  const seen = stages.map((stage) => {
    text = staged(text, stage);
    return { ...modulesIn(text), isStaged: isStaged(text) };
  });
  expect(seen).toEqual([
    { release: undefined, modules: [], isStaged: true },
    { release: '0.1.0-aaaa', modules: ['local-path', 'ingress', 'nova-dns'], isStaged: true },
    { release: '0.1.0', modules: ['local-path', 'ingress', 'nova-dns', 'metrics-server'], isStaged: false },
  ]);
});

test('comments and other fields of the documents stay', () => {
  const edited = staged(example, { modules: [], isComplete: false }).replace('cpu: 2', 'cpu: 3 # larger');
  const done = staged(edited, { release: '0.1.0', modules: ['metrics-server'], isComplete: true });
  const added = '    delivery: flux\n    release: 0.1.0\n';
  expect(done.replace(added, '')).toBe(example.replace('cpu: 2', 'cpu: 3 # larger'));
});
