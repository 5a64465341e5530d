import { defaultTimeouts, type Timeouts } from '../../packages/terraform-provider-ovirt/src/engine/engine.ts';
import { handlersOf } from '../../packages/terraform-provider-ovirt/src/protocol/handlers.ts';
import { typeOf } from '../../packages/terraform-provider-ovirt/src/protocol/schema.ts';
import {
  type Fields,
  isFields,
  readValue,
  type Value,
  writeValue,
} from '../../packages/terraform-provider-ovirt/src/protocol/values.ts';
import { createProvider } from '../../packages/terraform-provider-ovirt/src/provider.ts';

interface Result {
  state: Fields | null;
  private: Uint8Array;
  diagnostics: readonly { severity: number; summary: string; detail: string }[];
}

/** The provider without OpenTofu: what it is asked for, and what it responds. */
export interface ProviderClient {
  configure: (settings: Fields) => Promise<Result['diagnostics']>;
  /** Plans and applies a new object. */
  create: (type: string, config: Fields) => Promise<Result>;
  update: (type: string, before: Result, config: Fields) => Promise<Result>;
  read: (type: string, before: Result) => Promise<Result>;
  destroy: (type: string, before: Result) => Promise<Result>;
  data: (type: string, config: Fields) => Promise<Result>;
  /** The text of all diagnostics so far. */
  said: () => string;
  close: () => Promise<void>;
}

export function createProviderClient(timeouts: Partial<Timeouts> = {}): ProviderClient {
  const provider = createProvider({ ...defaultTimeouts, ...timeouts });
  const handlers = handlersOf(provider);
  const said: string[] = [];
  const none = { msgpack: new Uint8Array(), json: new Uint8Array() };

  // biome-ignore lint/suspicious/noExplicitAny: the messages of the protocol
  const call = async (method: string, request: object): Promise<any> => {
    const handler = handlers[method];
    if (!handler) throw new Error(`no ${method}`);
    const response = await handler({ config: none, prior_state: none, private: new Uint8Array(), ...request } as never);
    for (const { summary, detail } of (response as Result).diagnostics ?? []) said.push(summary, detail);
    return response;
  };
  const block = (type: string) => {
    const found = provider.resources[type] ?? provider.dataSources[type];
    if (!found) throw new Error(`no ${type}`);
    return found.block;
  };
  const full = (type: string, fields: Fields): Fields => ({
    ...Object.fromEntries(Object.keys(block(type).attributes).map((name) => [name, null])),
    ...Object.fromEntries(Object.keys(block(type).blocks ?? {}).map((name) => [name, []])),
    ...fields,
  });
  const dynamic = (type: string, value: Value) => ({ ...none, msgpack: writeValue(typeOf(block(type)), value) });
  const result = (
    type: string,
    {
      state,
      private: memory,
      diagnostics = [],
    }: { state: { msgpack: Uint8Array }; private: Uint8Array; diagnostics?: Result['diagnostics'] },
  ): Result => {
    const value = readValue(typeOf(block(type)), state.msgpack);
    return {
      state: isFields(value) ? value : null,
      private: memory ?? new Uint8Array(),
      diagnostics: diagnostics ?? [],
    };
  };
  const apply = async (type: string, before: Result | undefined, config: Fields | null): Promise<Result> => {
    const prior = before?.state ?? null;
    const memory = before?.private ?? new Uint8Array();
    const computed =
      config &&
      prior &&
      Object.fromEntries(
        Object.entries(full(type, config)).map(([name, value]) => [name, value ?? prior[name] ?? null]),
      );
    const proposed = config === null ? null : (computed ?? full(type, config));
    const planned = await call('PlanResourceChange', {
      type_name: type,
      prior_state: dynamic(type, prior),
      proposed_new_state: dynamic(type, proposed),
      config: dynamic(type, config && full(type, config)),
      prior_private: memory,
    });
    const applied = await call('ApplyResourceChange', {
      type_name: type,
      prior_state: dynamic(type, prior),
      planned_state: { ...none, ...planned.planned_state },
      planned_private: planned.planned_private,
    });
    return result(type, { ...applied, state: applied.new_state });
  };

  return {
    configure: async (settings) => {
      const config = {
        ...Object.fromEntries(Object.keys(provider.block.attributes).map((name) => [name, null])),
        ...settings,
      };
      const msgpack = writeValue(typeOf(provider.block), config);
      return (await call('ConfigureProvider', { config: { ...none, msgpack } })).diagnostics ?? [];
    },
    create: (type, config) => apply(type, undefined, config),
    update: apply,
    read: async (type, before) => {
      const read = await call('ReadResource', {
        type_name: type,
        current_state: dynamic(type, before.state),
        private: before.private,
      });
      return result(type, { ...read, state: read.new_state });
    },
    destroy: (type, before) => apply(type, before, null),
    data: async (type, config) => {
      const read = await call('ReadDataSource', { type_name: type, config: dynamic(type, full(type, config)) });
      return result(type, read);
    },
    said: () => said.join('\n'),
    close: () => provider.close(),
  };
}
