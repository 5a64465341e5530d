import { Button, Checkbox, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { configuration, type Report } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { LogView } from './log-view.tsx';
import { Failure } from './problems.tsx';
import { RunLabel } from './states.tsx';
import './run-agent.css';

/** Runs the agent of a node and shows its output. */
export function RunAgent({ node, onClose }: { node: string; onClose: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [isNoop, setIsNoop] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [lines, setLines] = useState<string[]>([]);
  const [report, setReport] = useState<Report>();
  const [error, setError] = useState<unknown>();
  const run = async () => {
    setIsBusy(true);
    setLines([]);
    setReport(undefined);
    setError(undefined);
    try {
      await configuration.runAgent({ params: { name: node }, body: { isNoop } }, (line) => {
        if ('line' in line) setLines((before) => [...before, line.line]);
        if ('report' in line) setReport(line.report);
      });
    } catch (failure) {
      setError(failure);
    } finally {
      setIsBusy(false);
      void client.invalidateQueries({ queryKey: keys.node(node) });
    }
  };
  return (
    <Modal isOpen onClose={onClose} variant="large" aria-labelledby="run-title" elementToFocus="#run-noop">
      <ModalHeader title={t('nodes.runAgentTitle', { name: node })} labelId="run-title" />
      <ModalBody>
        <Checkbox
          id="run-noop"
          label={t('common.dryRun')}
          isChecked={isNoop}
          isDisabled={isBusy}
          onChange={(_event, isChecked) => setIsNoop(isChecked)}
        />
        {error !== undefined && <Failure error={error} />}
        {report && (
          <p className="nova-run-result">
            <RunLabel status={report.status} />{' '}
            {t('nodes.changedAndFailed', { changed: report.resources.changed, failed: report.resources.failed })}
          </p>
        )}
        {(isBusy || lines.length > 0) && (
          <LogView
            label={t('nodes.runLog')}
            lines={lines.map((text, key) => ({ key, text }))}
            isGrowing={isBusy}
            fileName={`${node}-run.log`}
          />
        )}
      </ModalBody>
      <ModalFooter>
        <Button isLoading={isBusy} isDisabled={isBusy} onClick={() => void run()}>
          {t('common.run')}
        </Button>
        <Button variant="link" onClick={onClose}>
          {t('nodes.close')}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
