import { Progress } from '@patternfly/react-core';
import { useWords } from '../language.tsx';

interface MeterProps {
  title: string;
  /** 0 to 1; more counts as full. */
  share: number;
  label: string;
}

const tight = 0.9;

/** A share of a resource, marked if little is left. */
export function Meter({ title, share, label }: MeterProps) {
  const { number } = useWords();
  const percent = Number.isFinite(share) ? share * 100 : 0;
  return (
    <Progress
      title={title}
      value={Math.min(100, percent)}
      label={label}
      valueText={`${number(percent)} %`}
      size="sm"
      {...(share > tight && { variant: 'warning' as const })}
    />
  );
}
