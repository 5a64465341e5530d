import { describe, errors, formatPath, type Problem } from '@nova-platform/api';
import { Alert, ClipboardCopy } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { problemsOf, Unreachable } from '../api/client.ts';
import { type Language, useWords, type Words } from '../language.tsx';
import './problems.css';

type Told = { code: string; params: Problem['params']; path?: Problem['path'] };

/** The words of a problem; a code of a newer release is all there is of it. */
export function wordsOfProblem(told: Told, language: Language): { message: string; remedy: string } {
  if (!Object.hasOwn(errors, told.code)) return { message: `${told.code} ${JSON.stringify(told.params)}`, remedy: '' };
  return describe(told as Problem, language);
}

/** What to do; commands in it can be copied. */
export function Remedy({ text }: { text: string }) {
  const { t } = useWords();
  return (
    <span className="nova-remedy">
      {text.split(/`([^`]+)`/).map((part, index) => {
        if (index % 2 === 0) return part;
        return part.startsWith('nova-ctl') ? (
          <ClipboardCopy
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have nothing but their order.
            key={index}
            variant="inline-compact"
            isCode
            hoverTip={t('common.copy')}
            clickTip={t('common.copied')}
            copyAriaLabel={t('common.copyCommand')}
          >
            {part}
          </ClipboardCopy>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have nothing but their order.
          <code key={index}>{part}</code>
        );
      })}
    </span>
  );
}

export function ProblemItem({ problem }: { problem: Told }) {
  const { language } = useWords();
  const { message, remedy } = wordsOfProblem(problem, language);
  return (
    <div className="nova-problem">
      <div>
        {message} <span className="nova-code">{problem.code}</span>
      </div>
      {problem.path && problem.path.length > 0 && <code className="nova-path">{formatPath(problem.path)}</code>}
      {remedy !== '' && <Remedy text={remedy} />}
    </div>
  );
}

/** Why something did not work, and what to do about it. */
export function Failure({ error, title, actions }: { error: unknown; title?: string; actions?: ReactNode }) {
  const { t } = useWords();
  const problems = problemsOf(error);
  const isAway = error instanceof Unreachable;
  return (
    <Alert
      variant={isAway ? 'warning' : 'danger'}
      isInline
      title={title ?? (isAway ? t('common.universeUnreachable') : t('common.requestFailed'))}
      {...alertLabel(t)}
      actionLinks={actions}
      className="nova-failure"
    >
      {problems.map((problem) => (
        <ProblemItem key={JSON.stringify(problem)} problem={problem} />
      ))}
      {problems.length === 0 && (isAway ? t('common.universeRestarting') : (error as Error).message)}
    </Alert>
  );
}

/** What a screen reader says before the title; the library's own is English. */
export function alertLabel(t: Words['t']): { variantLabel: string } {
  return { variantLabel: t('common.alert') };
}
