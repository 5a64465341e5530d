import {
  FormGroup,
  FormHelperText,
  FormSelect,
  FormSelectOption,
  HelperText,
  HelperTextItem,
  NumberInput,
  TextInput,
} from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import { useWords } from '../language.tsx';
import { type ReportedProblem, textOfProblem } from './problems.tsx';
import './fields.css';

interface FieldProps {
  id: string;
  label: string;
  hint?: string | undefined;
  problems?: readonly ReportedProblem[] | undefined;
  isRequired?: boolean;
}

/** A field with its hint, or with its problems. */
export function Field({
  id,
  label,
  hint,
  problems = [],
  isRequired = false,
  children,
}: FieldProps & { children: ReactNode }) {
  const { language } = useWords();
  return (
    <FormGroup fieldId={id} label={label} isRequired={isRequired}>
      {children}
      {(hint !== undefined || problems.length > 0) && (
        <FormHelperText>
          <HelperText id={`${id}-help`}>
            {problems.map((problem) => (
              <HelperTextItem key={problem.code} variant="error">
                {textOfProblem(problem, language).message}
              </HelperTextItem>
            ))}
            {problems.length === 0 && <HelperTextItem>{hint}</HelperTextItem>}
          </HelperText>
        </FormHelperText>
      )}
    </FormGroup>
  );
}

interface TextFieldProps extends FieldProps {
  value: string;
  placeholder?: string;
  onChange: (value: string) => void;
}

export function TextField({ value, placeholder, onChange, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      <TextInput
        id={field.id}
        value={value}
        {...(placeholder !== undefined && { placeholder })}
        validated={field.problems?.length ? 'error' : 'default'}
        onChange={(_event, text) => onChange(text)}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}

interface NameFieldProps extends Omit<TextFieldProps, 'label' | 'placeholder'> {
  /** The name unless another one is typed. */
  ownName: string;
}

/** The name of something new. */
export function NameField({ ownName, onChange, ...field }: NameFieldProps) {
  const { t } = useWords();
  return (
    <TextField
      {...field}
      label={t('common.name')}
      placeholder={t('declare.defaultHint', { value: ownName })}
      onChange={(value) => onChange(value.trim())}
    />
  );
}

interface ChoiceProps extends FieldProps {
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

export function Choice({ value, options, onChange, ...field }: ChoiceProps) {
  return (
    <Field {...field}>
      <FormSelect
        id={field.id}
        value={value}
        validated={field.problems?.length ? 'error' : 'default'}
        onChange={(_event, chosen) => onChange(chosen)}
      >
        {options.map(([key, label]) => (
          <FormSelectOption key={key} value={key} label={label} />
        ))}
      </FormSelect>
    </Field>
  );
}

const mostProcessors = 256;

export function CpuField({
  value,
  onChange,
  ...field
}: FieldProps & { value: number; onChange: (cpu: number) => void }) {
  const { t } = useWords();
  const set = (cpu: number) => onChange(Math.max(1, Math.min(mostProcessors, Math.trunc(cpu) || 1)));
  return (
    <Field {...field}>
      <NumberInput
        value={value}
        min={1}
        max={mostProcessors}
        widthChars={4}
        inputProps={{ id: field.id }}
        inputAriaLabel={field.label}
        minusBtnAriaLabel={t('machines.lessCpu')}
        plusBtnAriaLabel={t('machines.moreCpu')}
        onChange={(event) => set(Number(event.currentTarget.value))}
        onMinus={() => set(value - 1)}
        onPlus={() => set(value + 1)}
      />
    </Field>
  );
}

const units = { mebibytes: 1, gibibytes: 1024 } as const;

interface SizeFieldProps extends FieldProps {
  mebibytes: number;
  onChange: (mebibytes: number) => void;
}

/** An amount of memory or disk. */
export function SizeField({ mebibytes, onChange, ...field }: SizeFieldProps) {
  const { t } = useWords();
  const [unit, setUnit] = useState<keyof typeof units>(mebibytes % units.gibibytes === 0 ? 'gibibytes' : 'mebibytes');
  const [typed, setTyped] = useState('');
  const sizeOf = (text: string, of = unit) => Math.round(Number(text) * units[of]) || 0;
  // What was typed, unless the size has changed otherwise.
  const text = sizeOf(typed) === mebibytes ? typed : String(mebibytes / units[unit]);
  return (
    <Field {...field}>
      <div className="nova-size">
        <TextInput
          id={field.id}
          type="number"
          min={0}
          step="any"
          value={text}
          validated={field.problems?.length ? 'error' : 'default'}
          onChange={(_event, value) => {
            setTyped(value);
            onChange(sizeOf(value));
          }}
        />
        <FormSelect
          aria-label={t('machines.unitOf', { field: field.label })}
          value={unit}
          onChange={(_event, value) => {
            const chosen = value as keyof typeof units;
            setUnit(chosen);
            setTyped(text);
            onChange(sizeOf(text, chosen));
          }}
        >
          <FormSelectOption value="mebibytes" label={t('units.mebibytes')} />
          <FormSelectOption value="gibibytes" label={t('units.gibibytes')} />
        </FormSelect>
      </div>
    </Field>
  );
}
