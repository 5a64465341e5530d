import { expectation, offeredValues, type Path, type Problem, type Schema } from '@nova-platform/api';
import {
  Button,
  Checkbox,
  ExpandableSection,
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  Switch,
  TextInput,
} from '@patternfly/react-core';
import { PlusIcon } from '@patternfly/react-icons/dist/esm/icons/plus-icon.js';
import { TrashIcon } from '@patternfly/react-icons/dist/esm/icons/trash-icon.js';
import { useState } from 'react';
import { useWords } from '../../language.tsx';
import { textOfProblem } from '../../parts/problems.tsx';
import './schema-form.css';

type Reported = { code: string; params: Problem['params']; path: Path };

interface FieldProps {
  schema: Schema;
  path: Path;
  value: unknown;
  problems: readonly Reported[];
  onChange: (path: Path, value: unknown) => void;
  /** The innermost field that gets the focus. */
  onFocus: (path: Path) => void;
}

/** Always visible; all other fields of a mapping are behind "Advanced". */
const first: Record<string, readonly string[]> = {
  spec: ['nodeGroups', 'clusterConfiguration'],
  provider: ['type', 'zvirt', 'ovirt', 'vsphere'],
  clusterConfiguration: ['dnsBaseDomain', 'nodeNetwork'],
  nodeGroups: ['name', 'count', 'memory', 'cpu', 'disk', 'roles', 'hosts'],
  modules: ['name'],
};

/** The fields of a mapping, generated from the schema. */
export function SchemaForm({ schema, path, value, problems, onChange, onFocus }: FieldProps) {
  const { t } = useWords();
  const held = (value ?? {}) as Record<string, unknown>;
  const name = String(path.findLast((part) => typeof part === 'string') ?? '');
  const names = Object.keys(schema.properties ?? {});
  const preferred = first[name] ?? names;
  const main = preferred.filter((each) => names.includes(each) && isRelevant(name, each, held));
  const more = names.filter((each) => !preferred.includes(each));
  const isWrong = more.some((each) => problems.some((problem) => startsWith(problem.path, [...path, each])));
  const [isOpen, setIsOpen] = useState(false);
  const field = (each: string) => (
    <Field
      key={each}
      schema={schema.properties?.[each] ?? {}}
      path={[...path, each]}
      value={held[each]}
      isRequired={schema.required?.includes(each) ?? false}
      problems={problems}
      onChange={onChange}
      onFocus={onFocus}
    />
  );
  return (
    <div className="nova-fields">
      {main.map(field)}
      {more.length > 0 && (
        <ExpandableSection
          toggleText={t('declare.advanced', { count: more.length })}
          isExpanded={isOpen || isWrong}
          onToggle={(_event, isExpanded) => setIsOpen(isExpanded)}
          isIndented
        >
          {(isOpen || isWrong) && <div className="nova-fields">{more.map(field)}</div>}
        </ExpandableSection>
      )}
    </div>
  );
}

/** Hides settings that do not apply, such as those of a provider that is not chosen, unless they are set. */
function isRelevant(parent: string, name: string, held: Record<string, unknown>): boolean {
  if (parent === 'provider' && name !== 'type') return held.type === name || held[name] !== undefined;
  if (parent === 'nodeGroups' && name === 'hosts') return held.hosts !== undefined;
  if (parent === 'nodeGroups' && name === 'count') return held.hosts === undefined;
  return true;
}

function Field({ isRequired, ...field }: FieldProps & { isRequired: boolean }) {
  const { schema, path, value, problems, onChange, onFocus } = field;
  const { t, language } = useWords();
  const id = path.join('-');
  const name = String(path.at(-1));
  const own = problems.filter((problem) => problem.path.join('/') === path.join('/'));
  const description = schema.notes?.description[language];
  const help = (
    <FormHelperText>
      <HelperText>
        {own.map((problem) => {
          const { message, remedy } = textOfProblem(problem, language);
          return (
            <HelperTextItem key={problem.code} variant="error">
              {message} {remedy}
            </HelperTextItem>
          );
        })}
        {description !== undefined && (
          <HelperTextItem>
            {description.replaceAll('`', '')}
            {schema.notes?.immutable === true && <strong> {t('declare.immutable')}</strong>}
          </HelperTextItem>
        )}
      </HelperText>
    </FormHelperText>
  );

  if (schema.type === 'object' && schema.properties) {
    return (
      <fieldset className="nova-fieldset">
        <legend>{name}</legend>
        {description !== undefined && <p className="nova-quiet">{description.replaceAll('`', '')}</p>}
        <SchemaForm {...field} />
      </fieldset>
    );
  }
  if (schema.type === 'array' && schema.items?.properties) {
    return <Entries {...field} />;
  }
  const isWrong = own.length > 0;
  return (
    <FormGroup fieldId={id} label={name} isRequired={isRequired} className="nova-field" onFocus={() => onFocus(path)}>
      <Input schema={schema} id={id} value={value} isWrong={isWrong} onChange={(changed) => onChange(path, changed)} />
      {help}
    </FormGroup>
  );
}

interface InputProps {
  schema: Schema;
  id: string;
  value: unknown;
  isWrong: boolean;
  onChange: (value: unknown) => void;
}

/** An empty field is absent from the document, so its default applies. */
function Input({ schema, id, value, isWrong, onChange }: InputProps) {
  const { t, language } = useWords();
  const allowed = offeredValues(schema);
  const fallback = typeof schema.default === 'object' ? '' : textOf(schema.default);
  const example = [schema.notes?.example].flat().map(textOf).join(', ');
  // A hint must not look like a value.
  const hint =
    fallback !== ''
      ? t('declare.defaultHint', { value: fallback })
      : example === ''
        ? ''
        : t('declare.exampleHint', { value: example });
  const validated = isWrong ? ('error' as const) : ('default' as const);
  if (schema.type === 'boolean') {
    return (
      <Switch
        id={id}
        aria-label={id}
        isChecked={(value ?? schema.default) === true}
        onChange={(_event, isChecked) => onChange(isChecked)}
        label={(value ?? schema.default) === true ? t('declare.yes') : t('declare.no')}
      />
    );
  }
  if (allowed) {
    return (
      <FormSelect
        id={id}
        value={textOf(value ?? fallback)}
        validated={validated}
        onChange={(_event, chosen) => onChange(chosen)}
      >
        {value !== undefined && !allowed.includes(value as string) && (
          <FormSelectOption value={textOf(value)} label={textOf(value)} />
        )}
        {value === undefined && fallback === '' && <FormSelectOption value="" label="—" />}
        {allowed.map((each) => (
          <FormSelectOption
            key={String(each)}
            value={String(each)}
            label={each === schema.default ? `${each} (${t('declare.default')})` : String(each)}
          />
        ))}
      </FormSelect>
    );
  }
  const choices = schema.items && offeredValues(schema.items);
  if (choices) {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset className="nova-choices" aria-label={id}>
        {choices.map((each) => (
          <Checkbox
            key={String(each)}
            id={`${id}-${each}`}
            label={String(each)}
            isChecked={chosen.includes(each)}
            onChange={(_event, isChecked) =>
              onChange(choices.filter((other) => (other === each ? isChecked : chosen.includes(other))))
            }
          />
        ))}
      </fieldset>
    );
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return (
      <TextInput
        id={id}
        type="number"
        value={textOf(value)}
        placeholder={hint}
        validated={validated}
        onChange={(_event, typed) => onChange(typed === '' ? undefined : Number(typed))}
      />
    );
  }
  if (schema.type === 'array') {
    return (
      <TextInput
        id={id}
        value={Array.isArray(value) ? value.join(', ') : ''}
        placeholder={hint}
        validated={validated}
        onChange={(_event, typed) =>
          onChange(typed.trim() === '' ? undefined : typed.split(',').map((each) => each.trim()))
        }
      />
    );
  }
  if (schema.type === 'object') {
    return <Pairs id={id} value={value} placeholder={expectation(schema)[language]} onChange={onChange} />;
  }
  return (
    <TextInput
      id={id}
      type={schema.notes?.secret === true ? 'password' : 'text'}
      value={textOf(value)}
      placeholder={hint}
      validated={validated}
      onChange={(_event, typed) => onChange(typed === '' ? undefined : typed)}
      spellCheck={false}
      autoComplete="off"
    />
  );
}

/** Mappings such as labels: `key=value`, separated by commas. */
function Pairs({
  id,
  value,
  placeholder,
  onChange,
}: {
  id: string;
  value: unknown;
  placeholder: string;
  onChange: (value: unknown) => void;
}) {
  const asText = Object.entries((value ?? {}) as Record<string, unknown>)
    .map(([key, held]) => `${key}=${String(held)}`)
    .join(', ');
  const [typed, setTyped] = useState(asText);
  return (
    <TextInput
      id={id}
      value={typed}
      placeholder={placeholder}
      onChange={(_event, text) => {
        setTyped(text);
        const pairs = text.split(',').flatMap((part): [string, string][] => {
          const [key = '', ...rest] = part.trim().split('=');
          return key === '' || rest.length === 0 ? [] : [[key, rest.join('=')]];
        });
        onChange(pairs.length === 0 ? undefined : Object.fromEntries(pairs));
      }}
    />
  );
}

/** A list of mappings: entries with their own fields, which can be added and removed. */
function Entries({ schema, path, value, problems, onChange, onFocus }: FieldProps) {
  const { t, language } = useWords();
  const entries = Array.isArray(value) ? value : [];
  const name = String(path.at(-1));
  const items = schema.items ?? {};
  const own = problems.filter((problem) => problem.path.join('/') === path.join('/'));
  return (
    <fieldset className="nova-fieldset">
      <legend>{name}</legend>
      {schema.notes && <p className="nova-quiet">{schema.notes.description[language].replaceAll('`', '')}</p>}
      {own.map((problem) => (
        <p key={problem.code} className="nova-bad">
          {textOfProblem(problem, language).message}
        </p>
      ))}
      {entries.map((entry, index) => {
        const title = (entry as { name?: unknown } | null)?.name;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no identity except its position.
          <div key={index} className="nova-entry">
            <div className="nova-entry-head">
              <strong>{typeof title === 'string' ? title : `${name} ${index + 1}`}</strong>
              <Button
                variant="plain"
                icon={<TrashIcon />}
                aria-label={t('common.removeNamed', { name: textOf(title ?? index + 1) })}
                onClick={() =>
                  onChange(
                    path,
                    entries.filter((_entry, other) => other !== index),
                  )
                }
              />
            </div>
            <SchemaForm
              schema={items}
              path={[...path, index]}
              value={entry}
              problems={problems}
              onChange={onChange}
              onFocus={onFocus}
            />
          </div>
        );
      })}
      <Button
        variant="link"
        icon={<PlusIcon />}
        onClick={() =>
          onChange(path, [
            ...entries,
            Object.fromEntries((items.required ?? []).map((each) => [each, initial(items.properties?.[each])])),
          ])
        }
      >
        {t('declare.addTo', { list: name })}
      </Button>
    </fieldset>
  );
}

/** The value as text for an input field. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function initial(schema: Schema | undefined): unknown {
  return schema?.notes?.example ?? schema?.default ?? '';
}

function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((part, index) => path[index] === part);
}
