import { type Problem, problem, type Text } from '@nova-platform/api';
import type { KubernetesView } from './health-observations.ts';
import { shortened } from './shortened.ts';

/** The image that a kubelet could not pull because no registry has it. */
function missingImage(message: string): string | undefined {
  return /^Failed to pull image "([^"]+)": .*(not found|manifest unknown)/i.exec(message)?.[1];
}

/** The images that pods need and their registry does not have. */
export function missingImages({ warnings }: Pick<KubernetesView, 'warnings'>): string[] {
  return [...new Set(warnings.flatMap(({ message }) => missingImage(message) ?? []))];
}

/** `team/app` of `hub:5000/team/app:1.0`; undefined if the image belongs to another registry. */
export function repositoryIn(registry: string, image: string): string | undefined {
  if (!image.startsWith(`${registry}/`)) return undefined;
  return image
    .slice(registry.length + 1)
    .replace(/@.*$/, '')
    .replace(/:[^:/]*$/, '');
}

/** The problem that a warning about a missing image is; undefined for all other warnings. */
export function missingImageProblem(
  { object, message }: KubernetesView['warnings'][number],
  tags: ReadonlyMap<string, readonly string[]>,
): Problem | undefined {
  const image = missingImage(message);
  return image === undefined ? undefined : problem('NOVA8374', { object, image, tags: tagsText(tags.get(image)) });
}

function tagsText(tags: readonly string[] | undefined): Text {
  if (!tags) return { en: '', ru: '' };
  if (tags.length === 0) return { en: '; it has no tag of this repository', ru: '; тегов этого репозитория в нём нет' };
  const newest = tags.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  const { en, ru } = shortened(newest);
  return { en: `; tags: ${en}`, ru: `; теги: ${ru}` };
}
