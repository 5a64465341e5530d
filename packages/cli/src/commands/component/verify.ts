import { ProblemError, problem } from '@nova-platform/api';
import {
  cacheFolder,
  chooseComponents,
  chooseToolchain,
  type Finding,
  findBuilt,
  findToolchain,
  readComponents,
  type Verified,
  verifyComponents,
} from '@nova-platform/distro';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { OutputFlags } from '../../group.ts';
import { progressOf } from '../../progress.ts';
import { styleFor } from '../../style.ts';
import { duration } from '../../time.ts';
import { count } from '../../words.ts';
import { buildProgress } from './build-progress.ts';

export const verify = command<OutputFlags, string[]>(async function (_flags, ...names) {
  const { t } = this;
  const all = chooseComponents(await readComponents(), [...new Set(names)]);
  const expected = await chooseToolchain(cacheFolder());
  const built = await Promise.all(all.map((component) => findBuilt(component, expected)));
  const components = all.filter((_, index) => built[index]);
  const missing = all.filter((_, index) => !built[index]);
  // A component named by the user must be built.
  if (names.length > 0 && missing.length > 0)
    throw new ProblemError(...missing.map(({ name }) => problem('NOVA8214', { component: name })));
  if (components.length === 0) {
    return {
      data: { components: [] },
      text: t({
        en: 'Nothing is built yet: nova-ctl component build.',
        ru: 'Ещё ничего не собрано: nova-ctl component build.',
      }),
    };
  }
  const toolchain = await findToolchain(cacheFolder(), (line) => progressOf(this).say(line));
  const progress = buildProgress(this, { en: 'building again', ru: 'повторная сборка' }, components.length);
  const results: Verified[] = [];
  try {
    const waiting = [...components];
    const next = () => {
      const component = waiting.shift();
      if (component) progress.start(component);
    };
    next();
    await verifyComponents(components, {
      toolchain,
      onProgress: progress.tell,
      onVerified: (verified) => {
        results.push(verified);
        progress.finish(
          verified.component,
          resultLines(this, verified, styleFor(this.io.stderr, this.io.env)).join('\n'),
        );
        next();
      },
    });
  } finally {
    progress.end();
  }
  return {
    data: { components: results },
    text: summary(this, results),
    exitCode: results.some(({ isSame }) => !isSame) ? exitCodes.failed.code : exitCodes.done.code,
  };
});

function resultLines({ t, language }: Context, verified: Verified, style: Context['style']): string[] {
  const { component, version, isSame, findings, withoutLicence, seconds } = verified;
  const mark = isSame ? style.green('✓') : style.red('✗');
  const licences = t({
    en: `without a licence: ${withoutLicence.join(', ')}`,
    ru: `без лицензии: ${withoutLicence.join(', ')}`,
  });
  return [
    `${mark} ${component} ${version} ${style.dim(duration(seconds, language))}`,
    ...findings.map((finding) => `    ${findingText(finding, t)}`),
    ...(withoutLicence.length > 0 ? [`    ${style.yellow(licences)}`] : []),
  ];
}

function findingText(finding: Finding, t: Context['t']): string {
  if (finding.kind === 'modules') {
    return t({
      en: `modules are not what go.sum says: ${finding.reason}`,
      ru: `модули не соответствуют go.sum: ${finding.reason}`,
    });
  }
  const { file, here } = finding;
  if (finding.kind === 'changed') {
    return t({
      en: `${file} was changed after it was built: ${short(here)}, not ${short(finding.written)}`,
      ru: `${file} изменён после сборки: ${short(here)} вместо ${short(finding.written)}`,
    });
  }
  if (here === '') return t({ en: `${file} is missing here`, ru: `${file} здесь отсутствует` });
  if (finding.rebuilt === '')
    return t({ en: `${file} is not built again`, ru: `${file} при повторной сборке не появляется` });
  return t({
    en: `${file} is built differently: ${short(here)} here, ${short(finding.rebuilt)} again`,
    ru: `${file} собирается иначе: здесь ${short(here)}, повторно ${short(finding.rebuilt)}`,
  });
}

function short(checksum: string): string {
  return checksum.replace(/^sha256:/, '').slice(0, 12);
}

function summary({ t, style }: Context, results: readonly Verified[]): string {
  const different = results.filter(({ isSame }) => !isSame);
  const total = results.length;
  if (different.length === 0) {
    return `${style.green('✓')} ${t({
      en: `${count(total, 'component is', 'components are')} what the pins say.`,
      ru: `Соответствует закреплённым исходникам: ${total} из ${total}.`,
    })}`;
  }
  return [
    `${style.red('✗')} ${t({
      en: `${different.length} of ${count(total, 'component', 'components')} cannot be trusted. To build ${different.length === 1 ? 'it' : 'them'} anew:`,
      ru: `Нельзя доверять: ${different.length} из ${total}. Собрать заново:`,
    })}`,
    '',
    ...different.map(({ folder }) => `  rm -r ${folder}`),
    `  nova-ctl component build ${different.map(({ component }) => component).join(' ')}`,
  ].join('\n');
}
