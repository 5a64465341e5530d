import { z } from 'zod';

const text = z.string();
const absolute = z.string().regex(/^\//, 'an absolute path');
/** Agents reject the whole catalog if a mode is a number. */
const mode = z.string().regex(/^0[0-7]{3}$|^[0-7]{4}$/, 'four octal digits in quotes, such as "0644"');
const commands = z.union([text, z.array(text).min(1)]);
const seconds = z.int().nonnegative();

/**
 * The resource types of every stock agent, with the parameters that we use. Agents reject the whole catalog if one
 * parameter is unknown. Names are those of the agents.
 */
export const resourceTypes = {
  file: z.strictObject({
    ensure: z.enum(['file', 'directory', 'link', 'absent']).optional(),
    content: text.optional(),
    target: absolute.optional(),
    owner: text.optional(),
    group: text.optional(),
    mode: mode.optional(),
    recurse: z.boolean().optional(),
    purge: z.boolean().optional(),
    force: z.boolean().optional(),
    replace: z.boolean().optional(),
    show_diff: z.boolean().optional(),
    backup: z.boolean().optional(),
  }),
  exec: z.strictObject({
    command: commands,
    path: z.array(absolute).optional(),
    unless: commands.optional(),
    onlyif: commands.optional(),
    creates: absolute.optional(),
    refreshonly: z.boolean().optional(),
    environment: z.array(text).optional(),
    cwd: absolute.optional(),
    user: text.optional(),
    timeout: seconds.optional(),
    tries: z.int().positive().optional(),
    try_sleep: seconds.optional(),
    logoutput: z.union([z.boolean(), z.literal('on_failure')]).optional(),
  }),
  service: z.strictObject({
    ensure: z.enum(['running', 'stopped']).optional(),
    enable: z.union([z.boolean(), z.literal('mask')]).optional(),
    name: text.optional(),
    start: text.optional(),
    hasrestart: z.boolean().optional(),
    restart: text.optional(),
  }),
  package: z.strictObject({
    ensure: z.enum(['present', 'absent', 'purged', 'latest']).optional(),
    name: text.optional(),
  }),
  user: z.strictObject({
    ensure: z.enum(['present', 'absent']).optional(),
    uid: z.int().nonnegative().optional(),
    gid: z.union([z.int().nonnegative(), text]).optional(),
    groups: z.array(text).optional(),
    home: absolute.optional(),
    shell: absolute.optional(),
    comment: text.optional(),
    system: z.boolean().optional(),
    managehome: z.boolean().optional(),
    password: text.optional(),
  }),
  group: z.strictObject({
    ensure: z.enum(['present', 'absent']).optional(),
    gid: z.int().nonnegative().optional(),
    system: z.boolean().optional(),
  }),
  notify: z.strictObject({ message: text.optional(), withpath: z.boolean().optional() }),
  tidy: z.strictObject({
    path: absolute.optional(),
    age: text.optional(),
    recurse: z.union([z.boolean(), z.int()]).optional(),
    matches: z.array(text).optional(),
    rmdirs: z.boolean().optional(),
  }),
} as const;

export type ResourceType = keyof typeof resourceTypes;
export type ParametersOf<Type extends ResourceType> = z.input<(typeof resourceTypes)[Type]>;
