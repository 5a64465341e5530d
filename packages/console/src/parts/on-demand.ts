import { type ComponentType, lazy } from 'react';

/** A file of the console could not be loaded: it belongs to another version, or the connection is lost. */
export class LoadError extends Error {}

/** A component that is loaded on first use. */
export function onDemand<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => {
    try {
      return { default: (await load())[name] };
    } catch (cause) {
      throw new LoadError(`${name} could not be loaded`, { cause });
    }
  });
}
