import { FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import type { Role } from '../api/client.ts';
import { useWords } from '../language.tsx';
import { roleNames } from '../parts/roles.ts';
import { useSession } from '../session.ts';

const roles: readonly Role[] = ['viewer', 'operator', 'admin'];

/** Offers only roles up to the user's own. */
export function RoleChoice({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const { t } = useWords();
  const { may } = useSession();
  return (
    <FormGroup fieldId="role" label={t('common.role')} isRequired>
      <FormSelect id="role" value={role} onChange={(_event, value) => onChange(value as Role)}>
        {roles.filter(may).map((each) => (
          <FormSelectOption key={each} value={each} label={t(roleNames[each])} />
        ))}
      </FormSelect>
    </FormGroup>
  );
}
