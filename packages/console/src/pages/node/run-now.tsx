import { Button, Checkbox, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { PlayIcon } from '@patternfly/react-icons/dist/esm/icons/play-icon.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { configuration, type NodeDetails, type Report } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { LogView } from '../../parts/log-view.tsx';
import { Failure } from '../../parts/problems.tsx';
import { RunLabel } from '../../parts/states.tsx';
import './run-now.css';

/** Runs the agent of a node and shows its output. */
export function RunNow({ node: { name } }: { node: NodeDetails }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
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
      await configuration.runAgent({ params: { name }, body: { isNoop } }, (line) => {
        if ('line' in line) setLines((before) => [...before, line.line]);
        if ('report' in line) setReport(line.report);
      });
    } catch (failure) {
      setError(failure);
    } finally {
      setIsBusy(false);
      void client.invalidateQueries({ queryKey: keys.node(name) });
    }
  };
  return (
    <>
      <Button icon={<PlayIcon />} onClick={() => setIsOpen(true)}>
        {t('nodes.runAgent')}
      </Button>
      <Modal isOpen={isOpen} onClose={() => setIsOpen(false)} variant="large" aria-labelledby="run-title">
        <ModalHeader title={t('nodes.runAgentTitle', { name })} labelId="run-title" />
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
              fileName={`${name}-run.log`}
            />
          )}
        </ModalBody>
        <ModalFooter>
          <Button isLoading={isBusy} isDisabled={isBusy} onClick={() => void run()}>
            {t('common.run')}
          </Button>
          <Button variant="link" onClick={() => setIsOpen(false)}>
            {t('nodes.close')}
          </Button>
        </ModalFooter>
      </Modal>
    </>
  );
}
