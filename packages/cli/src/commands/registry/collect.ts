import { sizeText } from '@nova-platform/api';
import { defaultRegistrySocket, registryClient } from '@nova-platform/contracts/registry/client';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { followOperation } from '../../operation-follow.ts';
import { progressOf } from '../../progress.ts';
import { knownUniverse } from '../../universe.ts';
import { count } from '../../words.ts';

export async function collect(this: Context, { output }: OutputFlags): Promise<Result> {
  const { t, io, style, language } = this;
  const universe = io.env.NOVA_REGISTRY_SOCKET ? undefined : knownUniverse(io);
  if (universe) {
    const operation = await universe.client.collectImages({});
    return followOperation(this, universe, operation, { output });
  }
  const progress = progressOf(this);
  const lines: string[] = [];
  progress.say(t({ en: 'looking for unused blobs', ru: 'поиск неиспользуемых блобов' }));
  try {
    const freed = await registryClient(defaultRegistrySocket(io.env)).collect((line) => lines.push(line));
    progress.end();
    return {
      data: { freed, lines },
      text: `${style.green('✓')} ${
        freed.blobs === 0
          ? t({ en: 'There is nothing to remove.', ru: 'Удалять нечего.' })
          : t({
              en: `${sizeText(freed.bytes, language)} freed: ${count(freed.blobs, 'unused blob', 'unused blobs')} removed.`,
              ru: `Освобождено ${sizeText(freed.bytes, language)}, удалено блобов: ${freed.blobs}.`,
            })
      }`,
    };
  } finally {
    progress.end();
  }
}
