import { describe, errors, formatPath, type Problem } from '@nova-platform/api';
import { Alert } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { problemsOf, Unreachable } from '../api/client.ts';
import { type Language, useWords, type Words } from '../language.tsx';
import { Command } from './command.tsx';
import { isCommand } from './remedies.ts';
import './problems.css';

export type ReportedProblem = { code: string; params: Problem['params']; path?: Problem['path'] };

/**
 * Message and remedy of a problem. A code of a newer release has no text here, so the code and its parameters are
 * shown.
 */
export function textOfProblem(problem: ReportedProblem, language: Language): { message: string; remedy: string } {
  if (!Object.hasOwn(errors, problem.code))
    return { message: `${problem.code} ${JSON.stringify(problem.params)}`, remedy: '' };
  return describe(problem as Problem, language);
}

/** The remedy; its commands can be copied. */
export function Remedy({ text }: { text: string }) {
  return (
    <span className="nova-remedy">
      {text.split(/`([^`]+)`/).map((part, index) => {
        if (index % 2 === 0) return part;
        return isCommand(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity except their order.
          <Command key={index} code={part} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no identity except their order.
          <code key={index}>{part}</code>
        );
      })}
    </span>
  );
}

export function ProblemItem({ problem }: { problem: ReportedProblem }) {
  const { language } = useWords();
  const { message, remedy } = textOfProblem(problem, language);
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

interface OtherProblemsProps {
  problems: readonly ReportedProblem[];
  /** The fields that show their problems themselves. */
  fields: readonly string[];
}

/** The problems of a form that belong to none of its fields. */
export function OtherProblems({ problems, fields }: OtherProblemsProps) {
  return problems
    .filter(({ path = [] }) => !fields.includes(String(path[0])))
    .map((problem) => <ProblemItem key={JSON.stringify(problem)} problem={problem} />);
}

/** An error and its remedy. */
export function Failure({ error, title, actions }: { error: unknown; title?: string; actions?: ReactNode }) {
  const { t } = useWords();
  const problems = problemsOf(error);
  const isUnreachable = error instanceof Unreachable;
  return (
    <Alert
      variant={isUnreachable ? 'warning' : 'danger'}
      isInline
      title={title ?? (isUnreachable ? t('common.universeUnreachable') : t('common.requestFailed'))}
      {...alertLabel(t)}
      actionLinks={actions}
      className="nova-failure"
    >
      {problems.map((problem) => (
        <ProblemItem key={JSON.stringify(problem)} problem={problem} />
      ))}
      {problems.length === 0 && (isUnreachable ? t('common.universeRestarting') : (error as Error).message)}
    </Alert>
  );
}

/** The prefix that a screen reader reads before the title; the library's own is English. */
export function alertLabel(t: Words['t']): { variantLabel: string } {
  return { variantLabel: t('common.alert') };
}
