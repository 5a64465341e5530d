import {
  buildInTurn,
  type Component,
  cacheFolder,
  chooseComponents,
  doingText,
  emptyGoCachesWhenBuilt,
  findToolchain,
  notBuilt,
  type Progress,
  readComponents,
  type Toolchain,
} from '@nova-platform/distro';
import type { Report } from './step.ts';

/** How long builds take on two cores, one after another; only their ratio matters. All others are short. */
const usualSeconds: Readonly<Record<string, number>> = {
  kubernetes: 300,
  'flux-source-controller': 220,
  traefik: 80,
  coredns: 60,
  opentofu: 60,
  distribution: 50,
  'metrics-server': 45,
  etcd: 40,
  'flux-kustomize-controller': 40,
  'flux-notification-controller': 40,
};
const otherSeconds = 20;

export function usualSecondsOf(components: readonly string[]): number {
  return components.reduce((sum, name) => sum + (usualSeconds[name] ?? otherSeconds), 0);
}

interface Build {
  /** Whether the component had to be built. */
  done: PromiseWithResolvers<boolean>;
  isDone: boolean;
  usual: number;
}

/**
 * Builds components one after another while other steps run: those need the network and the disk more than CPUs. Steps
 * wait for the components that they need.
 */
export class Builds implements AsyncDisposable {
  readonly #builds = new Map<string, Build>();
  readonly #stopped = new AbortController();
  #finished: Promise<unknown> = Promise.resolve();
  /** The component that is being built, and the fraction of it that is done. */
  #current: { progress: Progress; number: number; count: number } | undefined;
  #started = 0;

  /** Starts to build the components that are not in the cache, in this order. Returns whether there are any. */
  async start(names: readonly string[], report: Report): Promise<boolean> {
    const toolchain = await findToolchain(cacheFolder(), report);
    const chosen = chooseComponents(await readComponents(), names);
    const components = names.flatMap((name) => chosen.find((component) => component.name === name) ?? []);
    const missing = await notBuilt(components, toolchain);
    for (const { name } of components) {
      const done = Promise.withResolvers<boolean>();
      // A failure is reported by the step that waits for this component; another step may fail first.
      done.promise.catch(() => undefined);
      this.#builds.set(name, { done, isDone: false, usual: usualSecondsOf([name]) });
      if (!missing.some((each) => each.name === name)) this.#finish(name, false);
    }
    this.#finished = this.#buildAll(missing, toolchain).catch((error: unknown) => {
      for (const { done } of this.#builds.values()) done.reject(error);
    });
    return missing.length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    await this.#finished;
  }

  /** Waits for these components; returns whether one of them had to be built. */
  async wait(names: readonly string[], report: Report): Promise<boolean> {
    const show = () => this.#current && report(this.#line(names));
    const timer = setInterval(show, 500);
    try {
      const built = await Promise.all(names.map(async (name) => this.#builds.get(name)?.done.promise ?? false));
      return built.includes(true);
    } finally {
      clearInterval(timer);
    }
  }

  isBuilt(name: string): boolean {
    return this.#builds.get(name)?.isDone === true;
  }

  async #buildAll(missing: readonly Component[], toolchain: Toolchain): Promise<void> {
    const { signal } = this.#stopped;
    this.#started = performance.now();
    let number = 0;
    let compiling = '';
    await buildInTurn(missing, {
      toolchain,
      signal,
      onStart: ({ name }) => {
        number += 1;
        compiling = name;
      },
      onProgress: (progress) => {
        if (progress.component === compiling) this.#current = { progress, number, count: missing.length };
      },
      onBuilt: ({ name }) => this.#finish(name, true),
    });
    this.#current = undefined;
    if (missing.length > 0) await emptyGoCachesWhenBuilt(toolchain);
  }

  #finish(name: string, wasMissing: boolean): void {
    const build = this.#builds.get(name);
    if (!build) return;
    build.isDone = true;
    build.done.resolve(wasMissing);
    // Only builds of this run show the speed of this host.
    if (!wasMissing) build.usual = 0;
  }

  #line(names: readonly string[]): { en: string; ru: string } {
    if (!this.#current) return { en: '', ru: '' };
    const { progress, number, count } = this.#current;
    const { component, part, doing, detail = '' } = progress;
    const minutes = Math.ceil(this.#secondsLeft(names) / 60);
    const start = `${component} ${number}/${count}: ${Math.round(part * 100)}%`;
    return {
      en: `${start}, about ${minutes} min left, ${doingText[doing].en} ${detail}`,
      ru: `${start}, осталось около ${minutes} мин, ${doingText[doing].ru} ${detail}`,
    };
  }

  /** Until the last of these components is built, at the speed of this run. */
  #secondsLeft(names: readonly string[]): number {
    const all = [...this.#builds];
    const last = all.findLastIndex(([name]) => names.includes(name));
    const part = ([name, { isDone, usual }]: [string, Build]) =>
      usual * (isDone ? 1 : name === this.#current?.progress.component ? this.#current.progress.part : 0);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const done = sum(all.map(part));
    const left = sum(all.slice(0, last + 1).map((each) => each[1].usual - part(each)));
    const elapsed = (performance.now() - this.#started) / 1000;
    // The first packages show little about the speed.
    return done > 20 ? (left * elapsed) / done : left;
  }
}
