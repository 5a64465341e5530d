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
import { Message } from '../parts/message.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { useSession } from '../session.ts';

export function Registry() {
  const { t } = useWords();
  const { may } = useSession();
  const [, go] = useLocation();
  const [isConfirming, setIsConfirming] = useState(false);
  const images = useQuery({ ...imagesQuery, retry: 1 });
  const columns = useMemo(
    (): Column<Image>[] => [
      {
        key: 'repository',
        title: t('common.image'),
        cell: ({ repository }) => <strong>{repository}</strong>,
        sort: ({ repository }) => repository,
      },
      {
        key: 'tag',
        title: t('registry.tag'),
        cell: ({ tag }) => <code>{tag}</code>,
        sort: ({ tag }) => tag,
        width: 0.6,
      },
      {
        key: 'digest',
        title: t('common.digest'),
        cell: ({ digest }) => <Digest>{digest}</Digest>,
        width: 2,
      },
    ],
    [t],
  );
  return (
    <>
      <PageHead
        title={t('common.registry')}
        description={t('registry.description')}
        {...(may('operator') && {
          actions: (
            <Button variant="secondary" onClick={() => setIsConfirming(true)}>
              {t('registry.cleanUp')}
            </Button>
          ),
        })}
      />
      <PageBody>
        <QueryView query={images}>
          {(rows) => (
            <DataTable
              label={t('common.images')}
              rows={rows}
              columns={columns}
              rowKey={({ repository, tag }) => `${repository}:${tag}`}
              text={imageText}
              empty={
                <Nothing icon={CubesIcon} title={t('registry.noImages')}>
                  <Message of="registry.importImages" />
                </Nothing>
              }
            />
          )}
        </QueryView>
      </PageBody>
      {isConfirming && (
        <Dialog
          title={t('registry.cleanUpTitle')}
          action={t('registry.cleanUp')}
          onClose={() => setIsConfirming(false)}
          onAction={async () => go(`/operations/${(await universe.collectImages({})).id}`)}
        >
          <p>{t('registry.cleanUpText')}</p>
        </Dialog>
      )}
    </>
  );
}

const imageText = ({ repository, tag, digest }: Image) => `${repository} ${tag} ${digest}`;
