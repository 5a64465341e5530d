import { RegistryWriter } from '@nova-platform/contracts/registry/client';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { imagesOf } from '../../services.ts';
import { table } from '../../tree.ts';

export async function list(this: Context): Promise<Result> {
  const { t, io, style } = this;
  const writer = new RegistryWriter(await imagesOf(io));
  const repositories = await writer.repositories();
  const images = (await Promise.all(repositories.map((repository) => imagesIn(writer, repository)))).flat();
  if (images.length === 0) {
    return {
      data: { images },
      text: [
        t({ en: 'The registry is empty.', ru: 'Реестр пуст.' }),
        '',
        `  nova-ctl registry import   ${style.dim(t({ en: 'import built images', ru: 'импортировать собранные образы' }))}`,
      ].join('\n'),
    };
  }
  const head = [t({ en: 'IMAGE', ru: 'ОБРАЗ' }), t({ en: 'TAG', ru: 'ТЕГ' }), t({ en: 'DIGEST', ru: 'ДАЙДЖЕСТ' })];
  return {
    data: { images },
    text: table([head, ...images.map(({ repository, tag, digest }) => [repository, tag, digest])]).join('\n'),
  };
}

async function imagesIn(writer: RegistryWriter, repository: string) {
  const tags = await writer.tags(repository);
  return Promise.all(
    tags.sort().map(async (tag) => ({ repository, tag, digest: (await writer.digestOf(repository, tag)) ?? '' })),
  );
}
