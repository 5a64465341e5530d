import type { ModuleDeclaration } from '@nova-platform/api';

/** The declarations of modules as TypeScript: programs have them without a file beside them, also in a browser. */
export function moduleTable(modules: readonly ModuleDeclaration[]): string {
  return `// Made from release/modules by \`npm run generate\`.
import type { ModuleDeclaration } from './module-declaration.ts';

export const moduleTable: readonly ModuleDeclaration[] = ${JSON.stringify(modules, null, 2)};
`;
}
