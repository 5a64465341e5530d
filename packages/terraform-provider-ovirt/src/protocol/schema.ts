import type { Type, Value } from './values.ts';

/** What is wrong with a value, after the name of its attribute: `is not a UUID`. */
export type Check = (value: string | number) => string | undefined;

export interface Attribute {
  type: Type;
  description: string;
  /** `adopted`: if the configuration has no value, the engine chooses one. */
  mode: 'required' | 'optional' | 'computed' | 'adopted';
  default?: Value;
  /** A change replaces the object. `unreadable`: the engine does not report it, so an imported object lacks it. */
  replaces?: true | 'unreadable' | ((before: Value, after: Value) => boolean);
  /** A computed value that any change of the object can change. */
  isVolatile?: true;
  isSensitive?: true;
  check?: Check;
}

export interface NestedBlock {
  nesting: 'list' | 'set';
  min?: number;
  max?: number;
  replaces?: Attribute['replaces'];
  block: Block;
}

export interface Block {
  description: string;
  attributes: Readonly<Record<string, Attribute>>;
  blocks?: Readonly<Record<string, NestedBlock>>;
}

/** The type of a value of this block. */
export function typeOf({ attributes, blocks = {} }: Block): Type {
  return [
    'object',
    {
      ...Object.fromEntries(Object.entries(attributes).map(([name, { type }]) => [name, type])),
      ...Object.fromEntries(
        Object.entries(blocks).map(([name, { nesting, block }]) => [name, [nesting, typeOf(block)] as Type]),
      ),
    },
  ];
}

/** The block as a `Schema` of the protocol. */
export function schemaOf(block: Block): object {
  return { version: 0, block: blockOf(block) };
}

const markdown = 1;
const nestings = { list: 2, set: 3 } as const;

function blockOf({ description, attributes, blocks = {} }: Block): object {
  return {
    description,
    description_kind: markdown,
    attributes: Object.entries(attributes).map(([name, attribute]) => ({
      name,
      type: Buffer.from(JSON.stringify(attribute.type)),
      description: attribute.description,
      description_kind: markdown,
      required: attribute.mode === 'required',
      optional: attribute.mode === 'optional' || attribute.mode === 'adopted',
      computed: attribute.mode === 'computed' || attribute.mode === 'adopted',
      sensitive: attribute.isSensitive ?? false,
    })),
    block_types: Object.entries(blocks).map(([type_name, { nesting, min = 0, max = 0, block }]) => ({
      type_name,
      nesting: nestings[nesting],
      min_items: min,
      max_items: max,
      block: blockOf(block),
    })),
  };
}
