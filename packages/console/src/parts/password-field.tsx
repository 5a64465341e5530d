import { FormGroup, FormHelperText, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';

/** The server refuses shorter passwords. */
export const shortestPassword = 12;

interface PasswordFieldProps {
  id: string;
  label: string;
  /** True for a new password, false for the current one. */
  isNew?: boolean;
  isRequired?: boolean;
  isWrong?: boolean;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}

export function PasswordField(props: PasswordFieldProps) {
  const { id, label, isNew = false, isRequired = false, isWrong = false, hint, value, onChange } = props;
  return (
    <FormGroup fieldId={id} label={label} isRequired={isRequired}>
      <TextInput
        id={id}
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        isRequired={isRequired}
        value={value}
        onChange={(_event, typed) => onChange(typed)}
      />
      {hint !== undefined && (
        <FormHelperText>
          <HelperText>
            <HelperTextItem variant={isWrong ? 'error' : 'default'}>{hint}</HelperTextItem>
          </HelperText>
        </FormHelperText>
      )}
    </FormGroup>
  );
}
