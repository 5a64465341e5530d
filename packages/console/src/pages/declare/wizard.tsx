import { Button } from '@patternfly/react-core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useWords } from '../../language.tsx';
import { Failure } from '../../parts/problems.tsx';
import './wizard.css';

/** Runs an action that may fail; tracks whether it runs and its error. */
export function useAttempt() {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const attempt = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, error, attempt, forget: () => setError(undefined) };
}

/** The pressed button disappears with its step: the focus moves to the start of the next one. */
export function useFocusOfStep(step: string): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    place.current?.focus({ preventScroll: true });
    place.current?.closest('main')?.scrollTo(0, 0);
  }, [step]);
  return place;
}

interface WizardActionsProps {
  action: string;
  isBusy: boolean;
  isReady: boolean;
  error: unknown;
  /** The title of an error. */
  refusal: string;
  onAction: () => void;
  onBack?: (() => void) | undefined;
  onLeave: () => void;
}

export function WizardActions(props: WizardActionsProps) {
  const { action, isBusy, isReady, error, refusal, onAction, onBack, onLeave } = props;
  const { t } = useWords();
  return (
    <div className="nova-wizard-actions">
      {error !== undefined && <Failure error={error} title={refusal} />}
      {/* A disabled button would lose the focus. */}
      <Button isLoading={isBusy} isAriaDisabled={isBusy} isDisabled={!isReady} onClick={onAction}>
        {action}
      </Button>
      {onBack && (
        <Button variant="secondary" isDisabled={isBusy} onClick={onBack}>
          {t('declare.back')}
        </Button>
      )}
      <Button variant="link" onClick={onLeave}>
        {t('common.cancel')}
      </Button>
    </div>
  );
}
