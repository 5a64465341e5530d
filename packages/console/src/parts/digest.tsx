import { ClipboardCopy } from '@patternfly/react-core';
import { useWords } from '../language.tsx';

/** What content is known by: long, seldom read, often copied. */
export function Digest({ children }: { children: string }) {
  const { t } = useWords();
  return (
    <ClipboardCopy
      variant="inline-compact"
      isCode
      truncation
      hoverTip={t({ en: 'Copy', ru: 'Скопировать' })}
      clickTip={t({ en: 'Copied', ru: 'Скопировано' })}
      copyAriaLabel={t({ en: 'Copy the digest', ru: 'Скопировать дайджест' })}
    >
      {children}
    </ClipboardCopy>
  );
}
