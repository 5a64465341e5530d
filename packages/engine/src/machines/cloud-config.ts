import { type Problem, ProblemError, problem } from '@nova-platform/api';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

const file = z.strictObject({
  path: z.string().regex(/^\/(?!.*\/\.\.(\/|$))[^\0]+$/),
  content: z
    .string()
    .max(1024 * 1024)
    .default(''),
  permissions: z
    .string()
    .regex(/^0?[0-7]{3,4}$/)
    .default('0644'),
  owner: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]*(:[a-z_][a-z0-9_-]*)?$/)
    .default('root:root'),
});

const user = z.strictObject({
  name: z.string().regex(/^[a-z_][a-z0-9_-]{0,31}$/),
  ssh_authorized_keys: z.array(z.string().max(16384)).default([]),
  sudo: z
    .string()
    .regex(/^[^\n]*$/)
    .optional(),
  shell: z
    .string()
    .regex(/^\/[a-z0-9/_-]+$/)
    .default('/bin/bash'),
});

/** The supported part of cloud-init's configuration; other fields are rejected by name. */
const schema = z.strictObject({
  hostname: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
    .optional(),
  ssh_authorized_keys: z.array(z.string().max(16384)).default([]),
  users: z.array(user).max(32).default([]),
  write_files: z.array(file).max(256).default([]),
});

export type CloudConfig = z.output<typeof schema>;

export function parseCloudConfig(text: string): CloudConfig {
  if (!/^#cloud-config\s*$/m.test(text.split('\n', 1)[0] ?? '')) throw refused('#cloud-config');
  let value: unknown;
  try {
    value = parse(text, { logLevel: 'error', maxAliasCount: 0 }) ?? {};
  } catch {
    throw refused('YAML');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ProblemError(
    ...result.error.issues.map((issue): Problem => {
      const field = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])].join('.');
      return problem('NOVA7012', { field });
    }),
  );
}

/** The configuration for a machine of a real cloud, where cloud-init reads it. */
export function renderCloudConfig(config: CloudConfig): string {
  return `#cloud-config\n${stringify(config, { lineWidth: 0 })}`;
}

function refused(field: string): ProblemError {
  return new ProblemError(problem('NOVA7012', { field }));
}
