import { fromJSON, type Options, type ServiceDefinition } from '@grpc/proto-loader';

/** A field by number and type; `repeated`, or a map with texts as keys. */
type Field = readonly [id: number, type: string, kind?: 'repeated' | 'map'];

const message = (fields: Record<string, Field> = {}) => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, [id, type, kind]]) => [
      name,
      kind === 'map' ? { id, type, keyType: 'string' } : { id, type, ...(kind && { rule: kind }) },
    ]),
  ),
});

const empty = message();
const diagnostics: Field = [1, 'Diagnostic', 'repeated'];
const value = (id: number): Field => [id, 'DynamicValue'];
const typeName: Field = [1, 'string'];

/** Enumerations are numbers: the wire does not tell them apart. */
const messages = {
  Empty: empty,
  DynamicValue: message({ msgpack: [1, 'bytes'], json: [2, 'bytes'] }),
  Diagnostic: message({
    severity: [1, 'int32'],
    summary: [2, 'string'],
    detail: [3, 'string'],
    attribute: [4, 'AttributePath'],
  }),
  AttributePath: message({ steps: [1, 'Step', 'repeated'] }),
  Step: message({ attribute_name: [1, 'string'] }),
  RawState: message({ json: [1, 'bytes'] }),
  Schema: message({ version: [1, 'int64'], block: [2, 'Block'] }),
  Block: message({
    version: [1, 'int64'],
    attributes: [2, 'Attribute', 'repeated'],
    block_types: [3, 'NestedBlock', 'repeated'],
    description: [4, 'string'],
    description_kind: [5, 'int32'],
  }),
  Attribute: message({
    name: [1, 'string'],
    type: [2, 'bytes'],
    description: [3, 'string'],
    required: [4, 'bool'],
    optional: [5, 'bool'],
    computed: [6, 'bool'],
    sensitive: [7, 'bool'],
    description_kind: [8, 'int32'],
  }),
  NestedBlock: message({
    type_name: [1, 'string'],
    block: [2, 'Block'],
    nesting: [3, 'int32'],
    min_items: [4, 'int64'],
    max_items: [5, 'int64'],
  }),
  Named: message({ type_name: typeName }),
  Metadata: message({
    server_capabilities: [1, 'ServerCapabilities'],
    data_sources: [3, 'Named', 'repeated'],
    resources: [4, 'Named', 'repeated'],
  }),
  ServerCapabilities: message({ get_provider_schema_optional: [2, 'bool'] }),
  ProviderSchema: message({
    provider: [1, 'Schema'],
    resource_schemas: [2, 'Schema', 'map'],
    data_source_schemas: [3, 'Schema', 'map'],
    server_capabilities: [6, 'ServerCapabilities'],
  }),
  ProviderConfig: message({ config: value(1) }),
  ProviderConfigResult: message({ diagnostics: [2, 'Diagnostic', 'repeated'] }),
  Config: message({ type_name: typeName, config: value(2) }),
  Result: message({ diagnostics }),
  StoredState: message({ type_name: typeName, version: [2, 'int64'], raw_state: [3, 'RawState'] }),
  UpgradedState: message({ upgraded_state: value(1), diagnostics: [2, 'Diagnostic', 'repeated'] }),
  Configuration: message({ terraform_version: [1, 'string'], config: value(2) }),
  ReadRequest: message({ type_name: typeName, current_state: value(2), private: [3, 'bytes'] }),
  ReadResult: message({ new_state: value(1), diagnostics: [2, 'Diagnostic', 'repeated'], private: [3, 'bytes'] }),
  PlanRequest: message({
    type_name: typeName,
    prior_state: value(2),
    proposed_new_state: value(3),
    config: value(4),
    prior_private: [5, 'bytes'],
  }),
  PlanResult: message({
    planned_state: value(1),
    requires_replace: [2, 'AttributePath', 'repeated'],
    planned_private: [3, 'bytes'],
    diagnostics: [4, 'Diagnostic', 'repeated'],
  }),
  ApplyRequest: message({
    type_name: typeName,
    prior_state: value(2),
    planned_state: value(3),
    config: value(4),
    planned_private: [5, 'bytes'],
  }),
  ApplyResult: message({ new_state: value(1), private: [2, 'bytes'], diagnostics: [3, 'Diagnostic', 'repeated'] }),
  ImportRequest: message({ type_name: typeName, id: [2, 'string'] }),
  ImportedResource: message({ type_name: typeName, state: value(2), private: [3, 'bytes'] }),
  ImportResult: message({
    imported_resources: [1, 'ImportedResource', 'repeated'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  }),
  DataResult: message({ state: value(1), diagnostics: [2, 'Diagnostic', 'repeated'] }),
  StopResult: message({ Error: [1, 'string'] }),
};

const method = (requestType: string, responseType: string) => ({
  requestType,
  responseType,
  comment: '',
});

const provider = {
  GetMetadata: method('Empty', 'Metadata'),
  GetProviderSchema: method('Empty', 'ProviderSchema'),
  ValidateProviderConfig: method('ProviderConfig', 'ProviderConfigResult'),
  ValidateResourceConfig: method('Config', 'Result'),
  ValidateDataResourceConfig: method('Config', 'Result'),
  UpgradeResourceState: method('StoredState', 'UpgradedState'),
  ConfigureProvider: method('Configuration', 'Result'),
  ReadResource: method('ReadRequest', 'ReadResult'),
  PlanResourceChange: method('PlanRequest', 'PlanResult'),
  ApplyResourceChange: method('ApplyRequest', 'ApplyResult'),
  ImportResourceState: method('ImportRequest', 'ImportResult'),
  ReadDataSource: method('Config', 'DataResult'),
  StopProvider: method('Empty', 'StopResult'),
};

const options: Options = { keepCase: true, longs: Number, defaults: true };

const protocol = fromJSON(
  {
    nested: {
      tfplugin6: { nested: { ...messages, Provider: { methods: provider } } },
      plugin: {
        nested: {
          Empty: empty,
          StdioData: message({ channel: [1, 'int32'], data: [2, 'bytes'] }),
          ConnInfo: message({ service_id: [1, 'uint32'], network: [2, 'string'], address: [3, 'string'] }),
          GRPCController: { methods: { Shutdown: method('Empty', 'Empty') } },
          GRPCStdio: { methods: { StreamStdio: { ...method('Empty', 'StdioData'), responseStream: true } } },
          GRPCBroker: {
            methods: { StartStream: { ...method('ConnInfo', 'ConnInfo'), requestStream: true, responseStream: true } },
          },
        },
      },
      grpc: {
        nested: {
          health: {
            nested: {
              v1: {
                nested: {
                  Request: message({ service: [1, 'string'] }),
                  Response: message({ status: [1, 'int32'] }),
                  Health: { methods: { Check: method('Request', 'Response') } },
                },
              },
            },
          },
        },
      },
    },
  },
  options,
);

const service = (name: string): ServiceDefinition => protocol[name] as ServiceDefinition;

/** The services that OpenTofu calls. */
export const services: Record<'provider' | 'controller' | 'stdio' | 'broker' | 'health', ServiceDefinition> = {
  provider: service('tfplugin6.Provider'),
  controller: service('plugin.GRPCController'),
  stdio: service('plugin.GRPCStdio'),
  broker: service('plugin.GRPCBroker'),
  health: service('grpc.health.v1.Health'),
};
