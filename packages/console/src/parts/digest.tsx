import { ClipboardCopy } from '@patternfly/react-core';
import { useWords } from '../language.tsx';

/** A content digest: long, rarely read, often copied. */
export function Digest({ children }: { children: string }) {
  const { t } = useWords();
  return (
    <ClipboardCopy
      variant="inline-compact"
      isCode
      truncation
      hoverTip={t('common.copy')}
      clickTip={t('common.copied')}
      copyAriaLabel={t('common.copyDigest')}
    >
      {children}
    </ClipboardCopy>
  );
}
