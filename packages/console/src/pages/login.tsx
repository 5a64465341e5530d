import { Button, Card, CardBody, Form, FormGroup, TextInput, Title } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { universe } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { Message } from '../parts/message.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { Failure } from '../parts/problems.tsx';
import { Logo } from '../shell/logo.tsx';
import { LanguageChoice, ThemeChoice } from '../shell/preferences.tsx';
import './login.css';

/** Login with name and password, or with the link from `nova-ctl up` and `nova-ctl console`. */
export function Login() {
  const { t } = useWords();
  const client = useQueryClient();
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isTried = useRef(false);
  const first = useRef<HTMLInputElement>(null);

  const enter = async (body: Parameters<typeof universe.startSession>[0]['body']) => {
    setIsBusy(true);
    setError(undefined);
    try {
      const who = await universe.startSession({ body });
      client.setQueryData(keys.whoami, who);
    } catch (failure) {
      setError(failure);
      setIsBusy(false);
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a link works only once.
  useEffect(() => {
    document.title = `${t('access.logInTitle')} · Nova`;
    first.current?.focus();
    const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
    if (code === undefined || isTried.current) return;
    isTried.current = true;
    // Remove the code from the address bar and the history.
    history.replaceState(null, '', '/');
    void enter({ code });
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    void enter({ user, password });
  };
  return (
    <main className="nova-login">
      <div className="nova-login-preferences">
        <LanguageChoice />
        <ThemeChoice />
      </div>
      <Card className="nova-login-card" isLarge>
        <CardBody>
          <div className="nova-login-brand">
            <Logo />
          </div>
          <Title headingLevel="h1" size="xl">
            {t('access.logInTitle')}
          </Title>
          <Form onSubmit={submit}>
            {error !== undefined && <Failure error={error} title={t('access.logInFailed')} />}
            <FormGroup fieldId="user" label={t('access.userName')} isRequired>
              <TextInput
                id="user"
                ref={first}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                isRequired
                value={user}
                onChange={(_event, value) => setUser(value)}
              />
            </FormGroup>
            <PasswordField
              id="password"
              label={t('access.password')}
              isRequired
              value={password}
              onChange={setPassword}
            />
            <Button
              type="submit"
              isBlock
              isLoading={isBusy}
              spinnerAriaValueText={t('access.loggingIn')}
              // A disabled button would lose the focus.
              isAriaDisabled={isBusy}
              isDisabled={user === '' || password === ''}
            >
              {t('access.logIn')}
            </Button>
          </Form>
          <p className="nova-login-hint">
            <Message of="access.withoutPassword" />
          </p>
        </CardBody>
      </Card>
    </main>
  );
}
