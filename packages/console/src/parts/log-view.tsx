import { Button, SearchInput, Switch } from '@patternfly/react-core';
import { DownloadIcon } from '@patternfly/react-icons/dist/esm/icons/download-icon.js';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../language.tsx';
import { download } from './download.ts';
import './list-tools.css';
import './log-view.css';

interface ShownLine {
  key: string | number;
  /** Shown on the left: a time or a source. */
  mark?: string;
  text: string;
}

interface LogViewProps {
  label: string;
  lines: readonly ShownLine[];
  /** More lines will follow. */
  isGrowing?: boolean;
  fileName: string;
  tools?: ReactNode;
}

const lineHeight = 20;
const logPadding = 20;
const fewestLines = 8;

/** Log lines as they arrive. The view follows the end until the user scrolls up. */
export function LogView({ label, lines, isGrowing = false, fileName, tools }: LogViewProps) {
  const { t } = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState('');
  const [isFollowing, setIsFollowing] = useState(true);
  const shown = useMemo(() => {
    const wanted = search.toLowerCase();
    return wanted === ''
      ? lines
      : lines.filter(
          ({ text, mark = '' }) => text.toLowerCase().includes(wanted) || mark.toLowerCase().includes(wanted),
        );
  }, [lines, search]);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  });
  useEffect(() => {
    if (isFollowing && shown.length > 0) virtual.scrollToIndex(shown.length - 1, { align: 'end' });
  }, [isFollowing, shown.length, virtual]);

  return (
    <div>
      <div className="nova-list-tools">
        <SearchInput
          aria-label={t('common.searchLog')}
          placeholder={t('common.searchLog')}
          resetButtonLabel={t('common.clear')}
          value={search}
          onChange={(_event, value) => setSearch(value)}
          onClear={() => setSearch('')}
        />
        {tools}
        <Switch
          label={t('common.followLog')}
          isChecked={isFollowing}
          onChange={(_event, isChecked) => setIsFollowing(isChecked)}
        />
        <Button
          variant="link"
          icon={<DownloadIcon />}
          isDisabled={lines.length === 0}
          onClick={() =>
            download(
              fileName,
              lines.map(({ mark, text }) => (mark === undefined ? text : `${mark}  ${text}`)).join('\n'),
            )
          }
        >
          {t('common.download')}
        </Button>
      </div>
      <div
        ref={scroller}
        className="nova-log"
        role="log"
        aria-label={label}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the focused element.
        tabIndex={0}
        style={{ height: Math.max(shown.length, fewestLines) * lineHeight + logPadding }}
        onWheel={({ deltaY }) => {
          if (deltaY < 0) setIsFollowing(false);
        }}
      >
        {shown.length === 0 && (
          <div className="nova-log-nothing">{isGrowing ? t('common.logEmptyYet') : t('common.logEmpty')}</div>
        )}
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const line = shown[index];
            if (!line) return null;
            return (
              <div key={line.key} className="nova-log-line" style={{ transform: `translateY(${start}px)` }}>
                {line.mark !== undefined && <span className="nova-log-mark">{line.mark}</span>}
                <span>{line.text}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
