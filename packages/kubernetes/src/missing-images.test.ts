import { describe as inWords } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { missingImageProblem, missingImages, repositoryIn } from './missing-images.ts';

const image = 'hub.nova.internal:5000/team/app:1.0';
const failed = (name: string, reason: string) => ({
  object: 'Pod/shop/cart',
  reason: 'Failed',
  message: `Failed to pull image "${name}": rpc error: ${reason}`,
});
const missing = failed(image, 'code = NotFound desc = x: not found');

test('missing images are listed once, without those that cannot be pulled for another reason', () => {
  const warnings = [missing, missing, failed('other:1', 'manifest unknown'), failed('slow:1', 'i/o timeout')];
  expect(missingImages({ warnings })).toEqual([image, 'other:1']);
});

test.each([
  [image, 'team/app'],
  ['hub.nova.internal:5000/app', 'app'],
  ['hub.nova.internal:5000/team/app@sha256:abc', 'team/app'],
  ['hub.nova.internal:5000/team/app:1.0@sha256:abc', 'team/app'],
  ['docker.io/team/app:1.0', undefined],
  ['hub.nova.internal:5000.example/app:1.0', undefined],
])('the repository of %s in the registry of Universe is %s', (each, repository) => {
  expect(repositoryIn('hub.nova.internal:5000', each)).toBe(repository);
});

test.each([
  ['with the existing tags, the newest first', ['0.9', '0.10', '0.2'], '; tags: 0.10, 0.9, 0.2'],
  ['without any tag', [], '; its repository has no tags'],
  ['of another registry', undefined, ''],
])('a missing image %s has a message and a remedy of its own', (_what, tags, rest) => {
  const found = missingImageProblem(missing, new Map(tags && [[image, tags]]));
  expect(found && inWords(found, 'en')).toEqual({
    message: `Pod/shop/cart: the image ${image} is not in the registry${rest}.`,
    remedy:
      'Correct the image in the manifest that Pod/shop/cart comes from, or push the missing image. Then Kubernetes pulls it within five minutes.',
  });
});

test.each([
  [['1.1', '1.0'], '; теги: 1.1, 1.0'],
  [[], '; в его репозитории нет тегов'],
])('the message about a missing image beside %j is the same in Russian', (tags, rest) => {
  const found = missingImageProblem(missing, new Map([[image, tags]]));
  expect(found && inWords(found, 'ru').message).toBe(`Pod/shop/cart: в реестре нет образа ${image}${rest}.`);
});

test('other warnings are not about a missing image', () => {
  expect(missingImageProblem({ ...missing, message: 'Back-off restarting' }, new Map())).toBeUndefined();
});
