import { isEmpty } from '@nova-platform/change/view';
import type { ClusterPlan } from '@nova-platform/plan';
import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Preview, universe } from '../../api/client.ts';
import { clusterQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ChangedTopology, ChangeList } from '../cluster/change-list.tsx';
import { useStarted } from '../cluster/use-started.ts';
import { Documents } from './documents.tsx';
import { HostTotals } from './host-totals.tsx';
import { useCheck } from './use-check.ts';
import { useAttempt, useFocusOfStep, WizardActions } from './wizard.tsx';

/** Edits the documents of a cluster: shows the changes, then applies exactly these. */
export function EditCluster({ name }: { name: string }) {
  const { t } = useWords();
  return (
    <>
      <PageHead
        title={t('declare.editTitle', { name })}
        above={[
          { title: t('common.clusters'), to: '/clusters' },
          { title: name, to: `/clusters/${name}` },
        ]}
      />
      <PageBody>
        <QueryView query={useQuery(clusterQuery(name))}>{(cluster) => <Edit cluster={cluster} />}</QueryView>
      </PageBody>
    </>
  );
}

interface EditProps {
  cluster: { name: string; revision: number; documents: string; plan: ClusterPlan };
}

function Edit({ cluster }: EditProps) {
  const { t } = useWords();
  const [, go] = useLocation();
  const started = useStarted();
  // Keep the revision that the user started from, even if others change the cluster meanwhile.
  const [{ name, revision, documents, plan: before }] = useState(cluster);
  const [text, setText] = useState(documents);
  const [preview, setPreview] = useState<Preview>();
  const { isBusy, error, attempt, forget } = useAttempt();
  const check = useCheck(text);
  const place = useFocusOfStep(preview ? 'review' : 'documents');
  const params = { cluster: name };

  const review = () =>
    attempt(async () => setPreview(await universe.previewCluster({ params, body: { documents: text } })));
  const change = ({ digest }: Preview) =>
    attempt(async () => {
      const body = { documents: text, digest };
      started((await universe.declareCluster({ params, body, ifMatch: revision })).operation);
    });
  return (
    <>
      <section
        ref={place}
        tabIndex={-1}
        aria-label={preview ? t('declare.changes') : t('common.documents')}
        className="nova-stack"
      >
        {preview ? (
          <Review before={before} preview={preview} />
        ) : (
          <Documents text={text} onChange={setText} check={check} />
        )}
      </section>
      <WizardActions
        action={preview ? t('common.apply') : t('declare.toChanges')}
        isBusy={isBusy}
        isReady={preview ? !isEmpty(preview.change) : !check.isChecking && check.plan !== undefined}
        error={error}
        refusal={t('declare.cannotChange')}
        onAction={() => void (preview ? change(preview) : review())}
        onBack={
          preview &&
          (() => {
            forget();
            setPreview(undefined);
          })
        }
        onLeave={() => go(`/clusters/${name}/documents`)}
      />
    </>
  );
}

function Review({ before, preview }: { before: ClusterPlan; preview: Preview }) {
  const { t } = useWords();
  return (
    <>
      <p className="nova-summary">{t('declare.nothingChanged')}</p>
      <HostTotals resources={preview.resources} isMore />
      <Card>
        <CardTitle component="h2">{t('declare.changes')}</CardTitle>
        <CardBody>
          <ChangeList change={preview.change} />
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t('common.topology')}</CardTitle>
        <CardBody>
          <ChangedTopology before={before} preview={preview} />
        </CardBody>
      </Card>
    </>
  );
}
