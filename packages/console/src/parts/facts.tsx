import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core';
import type { ReactNode } from 'react';
import './facts.css';

/** Names and their values. */
export function Facts({
  facts,
  columns = 3,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  columns?: 2 | 3;
}) {
  return (
    <DescriptionList isCompact columnModifier={{ md: '2Col', xl: columns === 3 ? '3Col' : '2Col' }}>
      {facts.map(([name, value]) => (
        <DescriptionListGroup key={name}>
          <DescriptionListTerm>{name}</DescriptionListTerm>
          <DescriptionListDescription>{value}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}

export function Roles({ roles }: { roles: readonly string[] }) {
  return (
    <span className="nova-roles">
      {roles.map((role) => (
        <span key={role} className="nova-role">
          {role}
        </span>
      ))}
    </span>
  );
}
