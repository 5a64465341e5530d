import { Button } from '@patternfly/react-core';
import { CubesIcon } from '@patternfly/react-icons/dist/esm/icons/cubes-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { type Image, universe } from '../api/client.ts';
import { imagesQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Digest } from '../parts/digest.tsx';
import { Nothing } from '../parts/empty.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { useSession } from '../session.ts';

export function Registry() {
  const { t } = useWords();
  const { may } = useSession();
  const [, go] = useLocation();
  const [isAsking, setIsAsking] = useState(false);
  const images = useQuery({ ...imagesQuery, retry: 1 });
  const columns = useMemo(
    (): Column<Image>[] => [
      {
        key: 'repository',
        title: t({ en: 'Image', ru: 'Образ' }),
        cell: ({ repository }) => <strong>{repository}</strong>,
        sort: ({ repository }) => repository,
      },
      {
        key: 'tag',
        title: t({ en: 'Tag', ru: 'Тег' }),
        cell: ({ tag }) => <code>{tag}</code>,
        sort: ({ tag }) => tag,
        width: 0.6,
      },
      {
        key: 'digest',
        title: t({ en: 'Digest', ru: 'Дайджест' }),
        cell: ({ digest }) => <Digest>{digest}</Digest>,
        width: 2,
      },
    ],
    [t],
  );
  return (
    <>
      <PageHead
        title={t({ en: 'Registry', ru: 'Реестр образов' })}
        description={t({
          en: 'Images that nodes pull. They are known by the digest of what is in them.',
          ru: 'Образы, которые загружают узлы. Каждый определяется дайджестом содержимого.',
        })}
        {...(may('operator') && {
          actions: (
            <Button variant="secondary" onClick={() => setIsAsking(true)}>
              {t({ en: 'Free space', ru: 'Освободить место' })}
            </Button>
          ),
        })}
      />
      <PageBody>
        <QueryView query={images}>
          {(rows) => (
            <DataTable
              label={t({ en: 'Images', ru: 'Образы' })}
              rows={rows}
              columns={columns}
              rowKey={({ repository, tag }) => `${repository}:${tag}`}
              text={imageText}
              empty={
                <Nothing icon={CubesIcon} title={t({ en: 'There is no image yet', ru: 'Образов пока нет' })}>
                  <code>nova-ctl registry import</code>{' '}
                  {t({ en: 'brings built images in.', ru: 'добавит собранные образы.' })}
                </Nothing>
              }
            />
          )}
        </QueryView>
      </PageBody>
      {isAsking && (
        <Dialog
          title={t({ en: 'Remove what no image needs?', ru: 'Удалить то, что не нужно ни одному образу?' })}
          action={t({ en: 'Remove', ru: 'Удалить' })}
          onClose={() => setIsAsking(false)}
          onAction={async () => go(`/operations/${(await universe.collectImages({})).id}`)}
        >
          <p>
            {t({
              en: 'Images and their tags stay; pulls and pushes wait meanwhile.',
              ru: 'Образы и теги остаются; загрузка и публикация на это время приостановятся.',
            })}
          </p>
        </Dialog>
      )}
    </>
  );
}

const imageText = ({ repository, tag, digest }: Image) => `${repository} ${tag} ${digest}`;
