import { sizeText } from '@nova-platform/api';
import {
  type BuiltComponent,
  buildKey,
  type Component,
  cacheFolder,
  chooseToolchain,
  findBuilt,
  readComponents,
  type Toolchain,
} from '@nova-platform/distro';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { table } from '../../tree.ts';

export async function list(this: Context): Promise<Result> {
  const { t, style, language } = this;
  const [components, toolchain] = await Promise.all([readComponents(), chooseToolchain(cacheFolder())]);
  const rows = await Promise.all(
    components.map(async (component) => ({ component, built: await findBuilt(component, toolchain) })),
  );
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'VERSION', ru: 'ВЕРСИЯ' }),
    t({ en: 'LICENCE', ru: 'ЛИЦЕНЗИЯ' }),
    t({ en: 'SIZE', ru: 'РАЗМЕР' }),
    t({ en: 'BUILT', ru: 'СОБРАН' }),
    t({ en: 'IMAGES', ru: 'ОБРАЗЫ' }),
  ];
  const cells = rows.map(({ component, built }) => {
    const row = [
      component.name,
      component.version,
      component.licence,
      built ? sizeText(bytesOf(built), language) : '—',
      built ? '✓' : '—',
      component.images.length > 0 ? String(component.images.length) : '—',
    ];
    if (component.purpose === 'tests') return row.map(style.dim);
    return row.map((cell) => (cell === '✓' ? style.green(cell) : cell));
  });
  const missing = rows.filter(({ built }) => !built).length;
  return {
    data: rows.map(({ component, built }) => dataOf(component, built, toolchain)),
    text: [
      ...table([head, ...cells]),
      ...(missing > 0
        ? [
            '',
            `  nova-ctl component build   ${style.dim(t({ en: `build the missing ${missing}`, ru: `собрать недостающие: ${missing}` }))}`,
          ]
        : []),
    ].join('\n'),
  };
}

export function bytesOf({ programs }: BuiltComponent): number {
  return programs.reduce((sum, { bytes }) => sum + bytes, 0);
}

function dataOf(component: Component, built: BuiltComponent | undefined, toolchain: Toolchain) {
  const { name, title, version, module, licence, purpose } = component;
  return {
    name,
    title,
    version,
    module: module ?? null,
    pin: module === undefined ? null : `${module}@v${version}`,
    licence,
    purpose,
    key: buildKey(component, toolchain),
    isBuilt: built !== undefined,
    folder: built?.folder ?? null,
    seconds: built?.seconds ?? null,
    bytes: built ? bytesOf(built) : null,
    programs: built?.programs ?? component.programs.map((program) => ({ name: program.name })),
    images: built?.images ?? component.images.map((image) => ({ name: image.name })),
    withoutLicence: built?.withoutLicence ?? [],
  };
}
