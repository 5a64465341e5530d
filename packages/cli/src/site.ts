import type { Problem } from '@nova-platform/api';
import { ProblemError } from '@nova-platform/api';
import { defaultAddresses, type Site, type SiteAddresses, siteOf } from '@nova-platform/plan';
import { readSiteFile, siteFile } from '@nova-platform/plan/site-file';
import type { Translate } from './language.ts';

/** The site of this host, or the default site if the host is not set up. */
export async function localSite(file: string = siteFile): Promise<Site> {
  return siteOf((await readSiteFile(file)) ?? defaultAddresses);
}

export type SiteFlags = Partial<SiteAddresses>;

/** Options for the addresses of a site. */
export function siteFlags(t: Translate) {
  const flag = (placeholder: string, en: string, ru: string) =>
    ({ kind: 'parsed', parse: String, optional: true, placeholder, brief: t({ en, ru }) }) as const;
  const network = t({ en: 'network', ru: 'сеть' });
  const { externalNetwork, integrationNetwork, transitNetwork, domain } = defaultAddresses;
  return {
    externalNetwork: flag(
      network,
      `Network between clusters and this host; cannot change later [${externalNetwork}]`,
      `Сеть между кластерами и этим хостом; потом не меняется [${externalNetwork}]`,
    ),
    integrationNetwork: flag(
      network,
      `Network of Universe; cannot change later [${integrationNetwork}]`,
      `Сеть Universe; потом не меняется [${integrationNetwork}]`,
    ),
    transitNetwork: flag(
      network,
      `Network between the routers of clusters; cannot change later [${transitNetwork}]`,
      `Сеть между маршрутизаторами кластеров; потом не меняется [${transitNetwork}]`,
    ),
    domain: flag(
      t({ en: 'name', ru: 'имя' }),
      `DNS zone of Universe and of the APIs of clusters; cannot change later [${domain}]`,
      `Зона DNS для Universe и API кластеров; потом не меняется [${domain}]`,
    ),
  } as const;
}

/** Only the given addresses: all others stay unchanged. */
export function givenAddresses({ externalNetwork, integrationNetwork, transitNetwork, domain }: SiteFlags): SiteFlags {
  return {
    ...(externalNetwork !== undefined && { externalNetwork }),
    ...(integrationNetwork !== undefined && { integrationNetwork }),
    ...(transitNetwork !== undefined && { transitNetwork }),
    ...(domain !== undefined && { domain }),
  };
}

/** Reports problems with addresses under the names of their options. */
export async function namingOptions<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new ProblemError(...error.problems.map(namingOption));
  }
}

function namingOption(found: Problem): Problem {
  const [field] = found.path;
  if (found.place || typeof field !== 'string' || !Object.hasOwn(defaultAddresses, field)) return found;
  return {
    ...found,
    path: [optionOf(field)],
    params: { ...found.params, ...(found.params.field === field && { field: optionOf(field) }) },
  };
}

function optionOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
