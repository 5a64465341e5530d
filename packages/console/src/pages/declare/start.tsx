import {
  expectation,
  freeNodeNetwork,
  groupsOf,
  manifestText,
  type Schema,
  type Template,
  type UsableProvider,
} from '@nova-platform/api';
import {
  Button,
  Form,
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  Radio,
  TextInput,
} from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { clustersQuery, networksQuery } from '../../api/queries.ts';
import { type PlainKey, useWords } from '../../language.tsx';
import { domainSchema, nameSchema, namesOf, withName } from './names.ts';
import './start.css';

const templates: Record<Template, { title: PlainKey; text: PlainKey }> = {
  single: {
    title: 'declare.templateSingle',
    text: 'declare.templateSingleText',
  },
  ha: {
    title: 'declare.templateHa',
    text: 'declare.templateHaText',
  },
};

const providers: Record<UsableProvider, PlainKey> = {
  local: 'declare.thisHost',
  existing: 'declare.existingHosts',
};

/** The choice of a starting document. */
export function Start({ onStart }: { onStart: (documents: string) => void }) {
  const { t, language } = useWords();
  const { data: clusters = [] } = useQuery(clustersQuery);
  const { data: networks = [], isPending } = useQuery(networksQuery);
  const [template, setTemplate] = useState<Template>('single');
  const [provider, setProvider] = useState<UsableProvider>('local');
  const [typed, setTyped] = useState({ name: '', domain: '' });
  const taken = clusters.map((cluster) => cluster.name);
  const { name, domain } = namesOf(typed, taken);
  const isTaken = taken.includes(name);
  const isNameRight = matches(nameSchema, name);
  const isDomainRight = matches(domainSchema, domain);
  const isRight = isNameRight && isDomainRight && !isTaken;
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (!isRight || isPending) return;
    const nodeNetwork = freeNodeNetwork(networks);
    onStart(withName(manifestText({ template, provider, domain, nodeNetwork }, language), name, domain));
  };
  return (
    <Form onSubmit={start} className="nova-start">
      <FormGroup fieldId="cluster-name" label={t('common.name')} isRequired>
        <TextInput
          id="cluster-name"
          value={typed.name}
          placeholder={t('declare.defaultHint', { value: namesOf({ ...typed, name: '' }, taken).name })}
          validated={isNameRight && !isTaken ? 'default' : 'error'}
          onChange={(_event, value) => setTyped({ ...typed, name: value.trim() })}
          spellCheck={false}
          autoComplete="off"
        />
        {(!isNameRight || isTaken) && (
          <Help variant="error">{isTaken ? t('declare.nameTaken', { name }) : expectation(nameSchema)[language]}</Help>
        )}
      </FormGroup>
      <FormGroup role="radiogroup" fieldId="template" label={t('declare.size')}>
        <div className="nova-templates">
          {Object.entries(templates).map(([key, { title, text }]) => (
            <label
              key={key}
              className={template === key ? 'nova-template nova-template-chosen' : 'nova-template'}
              htmlFor={`template-${key}`}
            >
              <Picture counts={groupsOf[key as Template].map(({ count }) => count)} />
              <Radio
                id={`template-${key}`}
                name="template"
                label={t(title)}
                description={t(text)}
                isChecked={template === key}
                onChange={() => setTemplate(key as Template)}
              />
            </label>
          ))}
        </div>
      </FormGroup>
      <FormGroup fieldId="provider" label={t('declare.machines')}>
        <FormSelect id="provider" value={provider} onChange={(_event, value) => setProvider(value as UsableProvider)}>
          {Object.entries(providers).map(([key, title]) => (
            <FormSelectOption key={key} value={key} label={t(title)} />
          ))}
        </FormSelect>
      </FormGroup>
      <FormGroup fieldId="domain" label={t('common.baseDomain')} isRequired>
        <TextInput
          id="domain"
          value={typed.domain}
          placeholder={t('declare.defaultHint', { value: namesOf({ ...typed, domain: '' }, taken).domain })}
          validated={!isDomainRight ? 'error' : domain.includes('.') ? 'default' : 'warning'}
          onChange={(_event, value) => setTyped({ ...typed, domain: value.trim() })}
          spellCheck={false}
          autoComplete="off"
        />
        {!isDomainRight ? (
          <Help variant="error">{expectation(domainSchema)[language]}</Help>
        ) : domain.includes('.') ? (
          <Help variant="default">{t('declare.domainHint', { domain })}</Help>
        ) : (
          <Help variant="warning">{t('declare.domainSingle', { domain })}</Help>
        )}
      </FormGroup>
      <div>
        <Button type="submit" isDisabled={!isRight || isPending}>
          {t('declare.next')}
        </Button>
      </div>
    </Form>
  );
}

function Help({ variant, children }: { variant: 'default' | 'warning' | 'error'; children: ReactNode }) {
  return (
    <FormHelperText>
      <HelperText>
        <HelperTextItem variant={variant}>{children}</HelperTextItem>
      </HelperText>
    </FormHelperText>
  );
}

function matches({ pattern = '', maxLength = Number.POSITIVE_INFINITY }: Schema, text: string): boolean {
  return new RegExp(pattern).test(text) && text.length <= maxLength;
}

/** Node groups, as dots. */
function Picture({ counts }: { counts: readonly number[] }) {
  return (
    <span className="nova-template-picture" aria-hidden="true">
      {counts.map((count, group) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups of a template have no identity except their order.
        <span key={group}>
          {Array.from({ length: count }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: all dots are equal.
            <i key={index} className={`nova-dot nova-dot-${group}`} />
          ))}
        </span>
      ))}
    </span>
  );
}
