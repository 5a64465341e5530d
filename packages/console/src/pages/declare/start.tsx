import {
  type Answers,
  expectation,
  groupsOf,
  infrastructure,
  kindSchema,
  schemaAt,
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
import { type FormEvent, useState } from 'react';
import { clustersQuery } from '../../api/queries.ts';
import { type PlainKey, useWords } from '../../language.tsx';
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
};

const domainSchema = schemaAt(kindSchema(infrastructure), ['spec', 'clusterConfiguration', 'dnsBaseDomain']) ?? {};

/** The choice of a starting document. */
export function Start({ onBegin }: { onBegin: (answers: Answers) => void }) {
  const { t, language } = useWords();
  const { data: clusters = [] } = useQuery(clustersQuery);
  const [template, setTemplate] = useState<Template>('single');
  const [provider, setProvider] = useState<UsableProvider>('local');
  const [domain, setDomain] = useState('');
  const name = freeName(clusters.map((cluster) => cluster.name));
  const wanted = domain === '' ? `${name}.nova.local` : domain;
  const isRight = new RegExp(domainSchema.pattern ?? '').test(wanted);
  const begin = (event: FormEvent) => {
    event.preventDefault();
    // Each cluster needs its own node network.
    const nodeNetwork = `10.20.${clusters.length}.0/24`;
    if (isRight) onBegin({ template, provider, domain: wanted, nodeNetwork });
  };
  return (
    <Form onSubmit={begin} className="nova-start">
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
          value={domain}
          placeholder={`${name}.nova.local`}
          validated={isRight ? 'default' : 'error'}
          onChange={(_event, value) => setDomain(value.trim())}
          spellCheck={false}
        />
        <FormHelperText>
          <HelperText>
            <HelperTextItem variant={isRight ? 'default' : 'error'}>
              {isRight
                ? t('declare.domainHint', { name: wanted.split('.', 1)[0] ?? '' })
                : expectation(domainSchema)[language]}
            </HelperTextItem>
          </HelperText>
        </FormHelperText>
      </FormGroup>
      <div>
        <Button type="submit" isDisabled={!isRight}>
          {t('declare.next')}
        </Button>
      </div>
    </Form>
  );
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

function freeName(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'demo' : `demo-${number}`;
    if (!taken.includes(name)) return name;
  }
}
