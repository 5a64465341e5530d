import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { transform } from 'lightningcss';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

const folder = import.meta.dirname;
const contract = /\/contracts\/src\/[^/]+\/contract\.ts$/;

/** Builds the console: its page and its files. File names contain the content digest, and files are precompressed. */
export async function buildConsole(target: string): Promise<void> {
  const styles = new Styles();
  const bundle = await rolldown({
    input: { console: join(folder, 'src/main.tsx') },
    platform: 'browser',
    // Code that imports these modules is tree-shaken; the check below verifies it.
    external: /^node:/,
    resolve: { extensions: ['.tsx', '.ts', '.mjs', '.js', '.json'] },
    transform: { jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [addressesOnly, styles.plugin],
    onLog: (level, log, next) => {
      // Server libraries add these directives to their modules; they have no effect here.
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') next(level, log);
    },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: 'assets/[name]-[hash].js',
    // Libraries that every page uses change less often than our code.
    codeSplitting: { groups: [{ name: 'libraries', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\// }] },
  });
  await bundle.close();

  const chunks = output.filter((each): each is OutputChunk => each.type === 'chunk');
  const serverSide = chunks.find(({ imports }) => imports.some((name) => name.startsWith('node:')));
  if (serverSide) throw new Error(`${serverSide.fileName} needs modules that no browser has`);
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('the console has no entry');
  const files = new Map<string, string | Buffer>(chunks.map(({ fileName, code }) => [fileName, code]));
  const style = await styles.write(files);
  const icon = named('assets/icon.svg', await readFile(join(folder, 'src/icon.svg')), files);
  files.set('index.html', page({ entry, style, icon }));
  await Promise.all([...files].map(([name, content]) => write(join(target, name), Buffer.from(content))));
}

type Routes = Record<string, { method: string; path: string; isStream?: true }>;

/** Keeps only the addresses of a contract's calls: the server validates their content. */
const addressesOnly: Plugin = {
  name: 'addresses-only',
  async load(id) {
    if (!contract.test(id)) return null;
    const exported = Object.entries((await import(id)) as Record<string, Routes>);
    return exported
      .map(([name, routes]) => {
        const addresses = Object.entries(routes).map(([call, { method, path, isStream }]) => [
          call,
          { method, path, ...(isStream && { isStream }) },
        ]);
        return `export const ${name} = ${JSON.stringify(Object.fromEntries(addresses))};`;
      })
      .join('\n');
  },
};

/** References to other files in our style sheets. */
const references = /url\(["']([^"']+)["']\)/g;

/** Bundles the style sheets of all used modules into one file. */
class Styles {
  readonly #sheets: string[] = [];
  readonly #used = new Set<number>();
  readonly plugin: Plugin;

  constructor() {
    this.plugin = {
      name: 'styles',
      load: (id) => {
        if (!id.endsWith('.css')) return null;
        // A call that survives tree shaking marks the sheet as used.
        return { code: `__style(${this.#sheets.push(id) - 1});`, moduleType: 'js', moduleSideEffects: true };
      },
      renderChunk: (code) =>
        code.replace(/__style\((\d+)\);?/g, (_call, index: string) => {
          this.#used.add(Number(index));
          return '';
        }),
    };
  }

  /** Adds the style sheet and the files that it references; returns its name. */
  async write(files: Map<string, string | Buffer>): Promise<string> {
    const isOwn = (path: string) => path.startsWith(join(folder, 'src'));
    const used = this.#sheets.filter((_path, index) => this.#used.has(index));
    // A stable order: library sheets first, then shared sheets, then those of components.
    const isShared = (path: string) => path.startsWith(join(folder, 'src/styles'));
    const own = used.filter(isOwn).toSorted();
    const ordered = [
      ...used.filter((path) => !isOwn(path)),
      ...own.filter(isShared),
      ...own.filter((path) => !isShared(path)),
    ];
    const sheets = await Promise.all(ordered.map((path) => this.#read(path, files)));
    const { code } = transform({
      filename: 'console.css',
      code: Buffer.from(sheets.join('\n')),
      minify: true,
      // All browsers of the last two years.
      targets: { chrome: 120 << 16, firefox: 121 << 16, safari: 17 << 16 },
      visitor: {
        // PatternFly's fonts have no Cyrillic letters; our own sheet declares ours.
        Rule: { 'font-face': (rule) => (JSON.stringify(rule).includes('RedHat') ? [] : undefined) },
      },
    });
    return named('assets/console.css', Buffer.from(code), files);
  }

  async #read(path: string, files: Map<string, string | Buffer>): Promise<string> {
    const text = await readFile(path, 'utf8');
    if (!path.startsWith(join(folder, 'src'))) return text;
    const require = createRequire(path);
    const names = new Map<string, string>();
    for (const [, file = ''] of text.matchAll(references)) {
      const path = require.resolve(file);
      names.set(file, named(`assets/${basename(path)}`, await readFile(path), files));
    }
    return text.replace(references, (_whole, file: string) => `url(/${names.get(file)})`);
  }
}

/** Adds a file under a name that contains its digest. */
function named(name: string, content: Buffer, files: Map<string, string | Buffer>): string {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 8);
  const full = join(dirname(name), `${basename(name, extname(name))}-${digest}${extname(name)}`);
  files.set(full, content);
  return full;
}

function page({ entry, style, icon }: { entry: OutputChunk; style: string; icon: string }): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Nova</title>
    <link rel="icon" href="/${icon}" type="image/svg+xml">
    <link rel="stylesheet" href="/${style}">
${entry.imports.map((name) => `    <link rel="modulepreload" href="/${name}">\n`).join('')}\
    <script type="module" src="/${entry.fileName}"></script>
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>
`;
}

const compressed = new Set(['.html', '.js', '.css', '.svg']);

async function write(file: string, content: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  if (!compressed.has(extname(file))) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
