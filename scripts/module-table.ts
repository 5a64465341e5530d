import type { ModuleDeclaration } from '@nova-platform/api';

/** The module declarations as TypeScript: programs need no separate file, not even in a browser. */
export function moduleTable(modules: readonly ModuleDeclaration[]): string {
  return `// Generated from release/modules by \`npm run generate\`.
import type { ModuleDeclaration } from './module-declaration.ts';

export const moduleTable: readonly ModuleDeclaration[] = ${JSON.stringify(modules, null, 2)};
`;
}
