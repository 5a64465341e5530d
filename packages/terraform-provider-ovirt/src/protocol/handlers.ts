import { type Diagnostic, DiagnosticError, diagnosticOf } from './diagnostics.ts';
import { plan, refreshed } from './plan.ts';
import type { Call, Memory, Provider, Resource } from './provider.ts';
import { type Block, schemaOf, typeOf } from './schema.ts';
import { validate } from './validate.ts';
import { type Fields, isFields, readJson, readValue, settled, type Value, writeValue } from './values.ts';

interface DynamicValue {
  msgpack: Uint8Array;
  json: Uint8Array;
}

/** Fields of requests, by the names of the protocol. */
interface Request {
  type_name: string;
  id: string;
  config: DynamicValue;
  prior_state: DynamicValue;
  proposed_new_state: DynamicValue;
  planned_state: DynamicValue;
  current_state: DynamicValue;
  raw_state: { json: Uint8Array };
  private: Uint8Array;
  prior_private: Uint8Array;
  planned_private: Uint8Array;
}

export type Handler = (request: Request) => Promise<object>;

/** The methods of the protocol for this provider. */
export function handlersOf<Client>(provider: Provider<Client>): Record<string, Handler> {
  const stopping = new AbortController();
  let client: Client | undefined;

  const resource = ({ type_name: name }: Request): Resource<Client> => found(provider.resources[name], name);
  const dataSource = ({ type_name: name }: Request) => found(provider.dataSources[name], name);
  const shown = (diagnostic: Diagnostic) => ({
    severity: diagnostic.severity === 'error' ? 1 : 2,
    summary: provider.redact(diagnostic.summary),
    detail: provider.redact(diagnostic.detail),
    ...(diagnostic.attribute && { attribute: pathOf(diagnostic.attribute) }),
  });

  /** Runs the work of one request. Its errors and warnings become diagnostics of the response. */
  const run = async (
    priv: Uint8Array | undefined,
    before: Fields | null,
    work: (call: Call<Client>) => Promise<Fields | null>,
  ) => {
    const diagnostics: Diagnostic[] = [];
    const memory: Memory = priv?.length ? JSON.parse(new TextDecoder().decode(priv)) : {};
    let kept = before;
    let after: Fields | null;
    try {
      if (client === undefined) throw notConfigured();
      const call: Call<Client> = {
        client,
        signal: stopping.signal,
        memory,
        keep: (state) => {
          kept = state;
        },
        warn: (summary, detail) => diagnostics.push({ severity: 'warning', summary, detail }),
      };
      after = await work(call);
    } catch (error) {
      after = kept;
      diagnostics.push(diagnosticOf(error));
    }
    return {
      state: after,
      private: new TextEncoder().encode(JSON.stringify(memory)),
      diagnostics: diagnostics.map(shown),
    };
  };

  return {
    GetMetadata: async () => ({
      data_sources: Object.keys(provider.dataSources).map((type_name) => ({ type_name })),
      resources: Object.keys(provider.resources).map((type_name) => ({ type_name })),
      server_capabilities: { get_provider_schema_optional: true },
    }),

    GetProviderSchema: async () => ({
      provider: schemaOf(provider.block),
      resource_schemas: schemas(provider.resources),
      data_source_schemas: schemas(provider.dataSources),
      server_capabilities: { get_provider_schema_optional: true },
    }),

    ValidateProviderConfig: async ({ config }) => {
      const given = fieldsIn(provider.block, config);
      return { diagnostics: [...validate(provider.block, given), ...provider.check(given)].map(shown) };
    },

    ValidateResourceConfig: async (request) => {
      const { block, check } = resource(request);
      const given = fieldsIn(block, request.config);
      return { diagnostics: [...validate(block, given), ...(check?.(given) ?? [])].map(shown) };
    },

    ValidateDataResourceConfig: async (request) => {
      const { block } = dataSource(request);
      return { diagnostics: validate(block, fieldsIn(block, request.config)).map(shown) };
    },

    UpgradeResourceState: async (request) => {
      const type = typeOf(resource(request).block);
      return { upgraded_state: dynamic(type, readJson(type, request.raw_state.json)) };
    },

    ConfigureProvider: async ({ config }) => {
      try {
        client = await provider.configure(fieldsIn(provider.block, config), stopping.signal);
        return {};
      } catch (error) {
        return { diagnostics: [shown(diagnosticOf(error))] };
      }
    },

    ReadResource: async (request) => {
      const { block, read } = resource(request);
      const before = fieldsIn(block, request.current_state);
      const result = await run(request.private, before, async (call) => {
        const observed = await read(call, before);
        return observed ? refreshed(before, observed) : null;
      });
      return { ...result, new_state: dynamic(typeOf(block), result.state) };
    },

    PlanResourceChange: async (request) => {
      const { block, plan: adjust } = resource(request);
      const type = typeOf(block);
      const proposed = valueIn(block, request.proposed_new_state);
      const keep = { planned_private: request.prior_private };
      if (!isFields(proposed)) return { ...keep, planned_state: dynamic(type, null) };
      const prior = valueIn(block, request.prior_state);
      const { imported }: Memory = request.prior_private.length > 0 ? JSON.parse(text(request.prior_private)) : {};
      const planning = {
        block,
        prior: isFields(prior) ? prior : null,
        proposed,
        config: fieldsIn(block, request.config),
        isImported: imported ?? false,
      };
      try {
        const planned = plan(planning);
        const { state, replacing } = adjust?.(planned, planning) ?? planned;
        return {
          ...keep,
          planned_state: dynamic(type, state),
          requires_replace: replacing.map((name) => pathOf([name])),
        };
      } catch (error) {
        return { ...keep, planned_state: dynamic(type, proposed), diagnostics: [shown(diagnosticOf(error))] };
      }
    },

    ApplyResourceChange: async (request) => {
      const { block, create, update, delete: remove } = resource(request);
      const prior = valueIn(block, request.prior_state);
      const planned = valueIn(block, request.planned_state);
      const before = isFields(prior) ? prior : null;
      const result = await run(request.planned_private, before, async (call) => {
        if (!isFields(planned)) {
          if (before) await remove(call, before);
          return null;
        }
        if (!before) return create(call, planned);
        const after = update ? await update(call, before, planned) : planned;
        delete call.memory.imported;
        return after;
      });
      return { ...result, new_state: dynamic(typeOf(block), result.state && settled(result.state)) };
    },

    ImportResourceState: async (request) => {
      const { block, identify, read } = resource(request);
      const { state, diagnostics } = await run(undefined, null, async (call) => {
        if (!identify) throw new DiagnosticError(`${request.type_name} cannot be imported`, 'Create it instead.');
        const identity = identify(request.id);
        const observed = await read(call, identity);
        if (observed) return { ...empty(block), ...identity, ...withoutEmpty(observed) };
        throw new DiagnosticError(
          `There is no ${request.type_name} to import`,
          `The engine has no object with the ID ${request.id}. Check the ID.`,
        );
      });
      if (!state) return { diagnostics };
      const memory: Memory = { imported: true };
      const imported = { type_name: request.type_name, state: dynamic(typeOf(block), state) };
      return { diagnostics, imported_resources: [{ ...imported, private: Buffer.from(JSON.stringify(memory)) }] };
    },

    ReadDataSource: async (request) => {
      const { block, read } = dataSource(request);
      const config = fieldsIn(block, request.config);
      const { state, diagnostics } = await run(undefined, null, async (call) => {
        const found = await read(call, config);
        return { ...config, ...found };
      });
      return { state: dynamic(typeOf(block), state), diagnostics };
    },

    StopProvider: async () => {
      stopping.abort();
      return {};
    },
  };
}

function schemas(all: Readonly<Record<string, { block: Block }>>): Record<string, object> {
  return Object.fromEntries(Object.entries(all).map(([name, { block }]) => [name, schemaOf(block)]));
}

function found<T>(resource: T | undefined, name: string): T {
  if (resource) return resource;
  throw new Error(`this provider has no ${name}`);
}

function valueIn(block: Block, { msgpack, json }: DynamicValue): Value {
  const type = typeOf(block);
  return msgpack.length > 0 ? readValue(type, msgpack) : readJson(type, json);
}

function fieldsIn(block: Block, value: DynamicValue): Fields {
  const read = valueIn(block, value);
  return isFields(read) ? read : {};
}

function dynamic(type: Parameters<typeof writeValue>[0], value: Value) {
  return { msgpack: Buffer.from(writeValue(type, value)) };
}

function pathOf(names: readonly string[]) {
  return { steps: names.map((attribute_name) => ({ attribute_name })) };
}

function empty({ attributes, blocks = {} }: Block): Record<string, Value> {
  return {
    ...Object.fromEntries(Object.keys(attributes).map((name) => [name, null])),
    ...Object.fromEntries(Object.keys(blocks).map((name) => [name, []])),
  };
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function notConfigured(): DiagnosticError {
  return new DiagnosticError(
    'The provider is not configured yet',
    'Its settings depend on values that are known only after an apply. Give url, username and password as values that ' +
      'are known when OpenTofu plans, or apply the resources that they depend on first with -target.',
  );
}
