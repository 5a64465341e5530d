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
import { type Text, useWords } from '../../language.tsx';

const templates: Record<Template, { title: Text; text: Text }> = {
  single: {
    title: { en: 'One node for everything', ru: 'Один узел для всего' },
    text: {
      en: 'For trying and testing. Scale it later.',
      ru: 'Для знакомства и проверки. Потом можно масштабировать.',
    },
  },
  ha: {
    title: { en: 'Highly available', ru: 'Отказоустойчивый' },
    text: {
      en: 'Three control planes, two nodes for the platform and traffic, two workers.',
      ru: 'Три узла управления, два узла для платформы и трафика, два рабочих.',
    },
  },
};

const providers: Record<UsableProvider, Text> = {
  local: { en: 'This Linux box', ru: 'Эта машина с Linux' },
};

const domainSchema = schemaAt(kindSchema(infrastructure), ['spec', 'clusterConfiguration', 'dnsBaseDomain']) ?? {};

/** What a document begins with. */
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
    // Node networks are each cluster's own.
    const nodeNetwork = `10.20.${clusters.length}.0/24`;
    if (isRight) onBegin({ template, provider, domain: wanted, nodeNetwork });
  };
  return (
    <Form onSubmit={begin} className="nova-start">
      <FormGroup role="radiogroup" fieldId="template" label={t({ en: 'How large?', ru: 'Какого размера?' })}>
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
      <FormGroup fieldId="provider" label={t({ en: 'Where do the machines come from?', ru: 'Откуда берутся машины?' })}>
        <FormSelect id="provider" value={provider} onChange={(_event, value) => setProvider(value as UsableProvider)}>
          {Object.entries(providers).map(([key, title]) => (
            <FormSelectOption key={key} value={key} label={t(title)} />
          ))}
        </FormSelect>
      </FormGroup>
      <FormGroup fieldId="domain" label={t({ en: 'Base domain', ru: 'Базовый домен' })} isRequired>
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
                ? t({
                    en: `Platform services are named below it, and its first label names the cluster: ${wanted.split('.', 1)[0]}.`,
                    ru: `В нём будут имена служб платформы, а первая метка станет именем кластера: ${wanted.split('.', 1)[0]}.`,
                  })
                : expectation(domainSchema)[language]}
            </HelperTextItem>
          </HelperText>
        </FormHelperText>
      </FormGroup>
      <div>
        <Button type="submit" isDisabled={!isRight}>
          {t({ en: 'Go on', ru: 'Дальше' })}
        </Button>
      </div>
    </Form>
  );
}

/** Groups of nodes, as dots. */
function Picture({ counts }: { counts: readonly number[] }) {
  return (
    <span className="nova-template-picture" aria-hidden="true">
      {counts.map((count, group) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups of a template have nothing but their order.
        <span key={group}>
          {Array.from({ length: count }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: dots are alike.
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
