import { Button, Form, FormGroup, Modal, ModalBody, ModalFooter, ModalHeader, TextInput } from '@patternfly/react-core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useWords } from '../language.tsx';
import { Failure } from './problems.tsx';

interface DialogProps {
  title: string;
  /** The label of the action button. */
  action: string;
  isDangerous?: boolean;
  /** Whether the action is possible with the current input. */
  isReady?: boolean;
  /** Runs the action; an error is shown, and the dialog stays open. */
  onAction: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
  isLarge?: boolean;
}

/** Confirms an action, and shows the error if it fails. */
export function Dialog(props: DialogProps) {
  const { title, action, isDangerous = false, isReady = true, isLarge = false, onAction, onClose, children } = props;
  const { t } = useWords();
  const id = useId();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const act = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setIsBusy(true);
    setError(undefined);
    try {
      await onAction();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Modal
      isOpen
      onClose={onClose}
      variant={isLarge ? 'large' : 'small'}
      aria-labelledby={`${id}-title`}
      elementToFocus={firstField(id)}
    >
      <ModalHeader
        title={title}
        labelId={`${id}-title`}
        {...(isDangerous && { titleIconVariant: 'warning' as const })}
      />
      <ModalBody>
        <Form id={id} onSubmit={(event) => void act(event)}>
          {children}
          {error !== undefined && <Failure error={error} />}
        </Form>
      </ModalBody>
      <ModalFooter>
        <Button
          type="submit"
          form={id}
          variant={isDangerous ? 'danger' : 'primary'}
          isDisabled={!isReady && !isBusy}
          // A disabled button would lose the focus.
          isAriaDisabled={isBusy}
          isLoading={isBusy}
          spinnerAriaValueText={t('common.working')}
        >
          {action}
        </Button>
        <Button variant="link" id={`${id}-cancel`} onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

/** The first field of a dialog, which gets the focus; the cancel button if there is no field. */
function firstField(id: string): string {
  const form = `#${CSS.escape(id)}`;
  return `${form} :is(input, select, textarea):not(:disabled), ${form}-cancel`;
}

/** For irreversible actions: the user types the name to confirm. */
export function ConfirmByName({ name, children, ...dialog }: Omit<DialogProps, 'isReady'> & { name: string }) {
  const { t } = useWords();
  const [typed, setTyped] = useState('');
  return (
    <Dialog {...dialog} isDangerous isReady={typed === name}>
      {children}
      <FormGroup fieldId="typed-name" label={t('common.typeToConfirm', { name })}>
        <TextInput
          id="typed-name"
          value={typed}
          onChange={(_event, value) => setTyped(value)}
          autoComplete="off"
          spellCheck={false}
        />
      </FormGroup>
    </Dialog>
  );
}
