import type { Role } from '../api/client.ts';
import { useWords } from '../language.tsx';
import { useSession } from '../session.ts';
import { PageLink } from './link.tsx';
import { PageBody } from './page-body.tsx';
import { PageHead } from './page-head.tsx';
import { roleNames } from './roles.ts';

/** A page that the role of the user does not allow. */
export function NotAllowed({ needs }: { needs: Role }) {
  const { t } = useWords();
  return (
    <>
      <PageHead title={t('shell.notAllowed')} description={<Needed needs={needs} />} />
      <PageBody>
        <PageLink to="/">{t('shell.toOverview')}</PageLink>
      </PageBody>
    </>
  );
}

export function Needed({ needs }: { needs: Role }) {
  const { t } = useWords();
  const { role } = useSession();
  return t('shell.neededRole', { needed: t(roleNames[needs]), own: t(roleNames[role]) });
}
