import {
  Alert,
  AlertActionLink,
  Card,
  CardBody,
  CardTitle,
  ProgressStep,
  ProgressStepper,
} from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { type Preview, universe } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { alertLabel } from '../../parts/problems.tsx';
import { Documents } from './documents.tsx';
import { removeDraft, storeDraft, storedDraft } from './draft.ts';
import { Review } from './review.tsx';
import { Start } from './start.tsx';
import { useCheck } from './use-check.ts';
import { useAttempt, useFocusOfStep, WizardActions } from './wizard.tsx';

const steps = ['start', 'documents', 'review'] as const;

/** From a template to an operation: shows everything that will exist, then creates exactly that. */
export function CreateCluster() {
  const { t } = useWords();
  const client = useQueryClient();
  const [, go] = useLocation();
  const [draft] = useState(storedDraft);
  const [isRestored, setIsRestored] = useState(draft !== undefined);
  const [step, setStep] = useState<(typeof steps)[number]>(draft === undefined ? 'start' : 'documents');
  const [text, setText] = useState(draft ?? '');
  const [preview, setPreview] = useState<Preview>();
  const { isBusy, error, attempt, forget } = useAttempt();
  const check = useCheck(text);
  const place = useFocusOfStep(step);
  const { plan } = check;

  useEffect(() => storeDraft(text), [text]);
  const start = (documents: string) => {
    setText(documents);
    setStep('documents');
  };
  const discard = () => {
    removeDraft();
    setText('');
    setIsRestored(false);
    setStep('start');
  };
  const review = () =>
    attempt(async () => {
      if (!plan) return;
      setPreview(await universe.previewCluster({ params: { cluster: plan.cluster.name }, body: { documents: text } }));
      setStep('review');
    });
  const create = () =>
    attempt(async () => {
      if (!preview) return;
      const { plan: planned, digest } = preview;
      const params = { cluster: planned.cluster.name };
      const { operation } = await universe.declareCluster({ params, body: { documents: text, digest }, ifMatch: 0 });
      removeDraft();
      if (!operation) return;
      client.setQueryData(keys.operation(operation.id), operation);
      void client.invalidateQueries({ queryKey: keys.clusters });
      go(`/operations/${operation.id}`);
    });

  const titles = {
    start: t('declare.template'),
    documents: t('common.documents'),
    review: t('declare.review'),
  };
  const position = steps.indexOf(step);
  return (
    <>
      <PageHead title={t('declare.createTitle')} above={[{ title: t('common.clusters'), to: '/clusters' }]} />
      <PageBody>
        <ProgressStepper isCenterAligned aria-label={t('common.steps')}>
          {steps.map((each, index) => (
            <ProgressStep
              key={each}
              id={`step-${each}`}
              titleId={`step-${each}-title`}
              isCurrent={index === position}
              variant={index < position ? 'success' : index === position ? 'info' : 'pending'}
              aria-label={`${titles[each]}: ${index < position ? t('common.stepDone') : index === position ? t('declare.stepCurrent') : t('declare.stepPending')}`}
            >
              {titles[each]}
            </ProgressStep>
          ))}
        </ProgressStepper>
        <section ref={place} tabIndex={-1} aria-label={titles[step]} className="nova-stack">
          {isRestored && step === 'documents' && (
            <Alert
              variant="info"
              isInline
              title={t('declare.draftRestored')}
              {...alertLabel(t)}
              actionLinks={<AlertActionLink onClick={discard}>{t('declare.discard')}</AlertActionLink>}
            />
          )}
          {step === 'start' && <Start onStart={start} />}
          {step === 'documents' && <Documents text={text} onChange={setText} check={check} />}
          {step === 'review' && preview && <Review preview={preview} />}
        </section>
        {step !== 'start' && (
          <WizardActions
            action={step === 'documents' ? t('declare.toReview') : t('declare.create')}
            isBusy={isBusy}
            isReady={step === 'review' || (!check.isChecking && plan !== undefined)}
            error={error}
            refusal={t('declare.cannotCreate')}
            onAction={() => void (step === 'documents' ? review() : create())}
            onBack={() => {
              forget();
              setStep(step === 'review' ? 'documents' : 'start');
            }}
            onLeave={() => {
              removeDraft();
              go('/clusters');
            }}
          />
        )}
        {step === 'start' && (
          <Card isPlain>
            <CardTitle component="h2">{t('declare.nextTitle')}</CardTitle>
            <CardBody>{t('declare.nextText')}</CardBody>
          </Card>
        )}
      </PageBody>
    </>
  );
}
