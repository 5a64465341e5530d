import { infrastructure, kindSchema, type Path, rewritten, schemaAt } from '@nova-platform/api';
import { Card, CardBody, CardTitle, Label } from '@patternfly/react-core';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { ExclamationCircleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon.js';
import { useMemo, useState } from 'react';
import { type Document, parseAllDocuments } from 'yaml';
import { useWords } from '../../language.tsx';
import { Failure, ProblemItem, textOfProblem } from '../../parts/problems.tsx';
import { YamlEditor } from '../../parts/yaml-editor.tsx';
import { offsetOf } from './offset.ts';
import { SchemaForm } from './schema-form.tsx';
import type { Check } from './use-check.ts';
import './documents.css';

interface DocumentsProps {
  text: string;
  onChange: (text: string) => void;
  check: Check;
}

const spec = schemaAt(kindSchema(infrastructure), ['spec']) ?? {};

/** The document with a form; others, such as Proxy, are edited as text. */
function infrastructureOf(documents: readonly Document[]): Document | undefined {
  return documents.find((each) => each.get('kind') === infrastructure.kind) ?? documents[0];
}

/** The same document as a form and as text: an edit in one updates the other. */
export function Documents({ text, onChange, check: { problems, plan, isChecking, error } }: DocumentsProps) {
  const { t, language } = useWords();
  const documents = useMemo(() => parseAllDocuments(text), [text]);
  const [focused, setFocused] = useState<Path>();
  const shown = useMemo(() => focused && offsetOf(infrastructureOf(documents), focused), [documents, focused]);
  const set = (path: Path, value: unknown) => {
    const changed = rewritten(text, (document, all) => {
      if (document !== infrastructureOf(all)) return;
      if (value === undefined) document.deleteIn([...path]);
      else document.setIn([...path], typeof value === 'object' ? document.createNode(value) : value);
    });
    onChange(changed);
  };
  const marks = useMemo(
    () =>
      problems.flatMap((problem) => {
        const { message, remedy } = textOfProblem(problem, language);
        return problem.place ? [{ ...problem.place, message: `${message} ${remedy}` }] : [];
      }),
    [problems, language],
  );
  const isReadable = documents.every((each) => each.errors.length === 0);
  return (
    <div className="nova-split">
      <Card>
        <CardTitle component="h2">{t('declare.fields')}</CardTitle>
        <CardBody>
          {isReadable ? (
            <SchemaForm
              schema={spec}
              path={['spec']}
              value={infrastructureOf(documents)?.toJS()?.spec}
              problems={problems}
              onChange={set}
              onFocus={setFocused}
            />
          ) : (
            <p>{t('declare.notYaml')}</p>
          )}
        </CardBody>
      </Card>
      <div className="nova-side">
        <Card>
          <CardTitle component="h2">
            {t('declare.yaml')}{' '}
            <span role="status">
              {problems.length > 0 ? (
                <Label color="red" icon={<ExclamationCircleIcon />} isCompact>
                  {t('declare.problemCount', { count: problems.length })}
                </Label>
              ) : isChecking ? (
                <Label isCompact>{t('declare.checking')}</Label>
              ) : (
                <Label color="green" icon={<CheckCircleIcon />} isCompact>
                  {t('declare.valid')}
                </Label>
              )}
            </span>
          </CardTitle>
          <CardBody>
            <YamlEditor
              label={t('declare.documentsAsYaml')}
              text={text}
              onChange={onChange}
              problems={marks}
              shown={shown}
            />
            {plan && problems.length === 0 && (
              <p className="nova-quiet">
                {plan.cluster.name} · Kubernetes {plan.cluster.kubernetesVersion} ·{' '}
                {t('common.nodeCount', { count: plan.nodes.length })}
              </p>
            )}
            {error && <Failure error={error} />}
            {problems.length > 0 && (
              <ul className="nova-plain nova-problems">
                {problems.map((problem) => (
                  <li key={JSON.stringify(problem)}>
                    <ProblemItem problem={problem} />
                  </li>
                ))}
              </ul>
            )}
          </CardBody>
        </Card>
      </div>
    </div>
  );
}
