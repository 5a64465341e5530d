import { ClipboardCopy } from '@patternfly/react-core';
import { useWords } from '../language.tsx';

/** A command with a button that copies it. */
export function Command({ code }: { code: string }) {
  const { t } = useWords();
  return (
    <ClipboardCopy
      variant="inline-compact"
      isCode
      hoverTip={t('common.copy')}
      clickTip={t('common.copied')}
      copyAriaLabel={t('common.copyCommand')}
    >
      {code}
    </ClipboardCopy>
  );
}
