import { migrate, openStore } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

eachStore('migrations of Universe', (open) => {
  test('sessions of unknown origin end, tokens end with the next password change, the audit trail stays', async () => {
    const db = await openStore<Schema>(await open());
    const old = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0005'));
    await migrate(db, 'universe', old);
    for (const statement of [
      sql`insert into users (name, role, password_hash, created_at) values ('ann', 'admin', 'x', 1), ('bot', 'viewer', null, 1)`,
      ...['ann', 'bot'].map(
        (user) => sql`insert into access_tokens (id, "user", name, role, hash, created_at, expires_at)
          values (${`id-${user}`}, ${user}, 'ci', 'viewer', 'x', 1, 2)`,
      ),
      sql`insert into sessions (hash, "user", created_at, expires_at) values ('x', 'ann', 1, 2)`,
      sql`insert into login_links (hash, "user", expires_at) values ('x', 'ann', 2)`,
      sql`insert into audit (at, who, from_address, action, target, outcome) values (1, 'ann', '-', 'login', '-', 200)`,
    ])
      await statement.execute(db);
    await migrate(db, 'universe', migrations);
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('login_links').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('access_tokens').select(['id', 'password_of']).orderBy('id').execute()).toEqual([
      { id: 'id-ann', password_of: 'ann' },
      { id: 'id-bot', password_of: null },
    ]);
    expect(await db.selectFrom('audit').select(['who', 'credential', 'changes']).execute()).toEqual([
      { who: 'ann', credential: null, changes: null },
    ]);
    await expect(sql`delete from audit`.execute(db)).rejects.toThrow('only added to');
    await db.destroy();
  });

  test('the initial members of a cluster survive the new name of their column', async () => {
    const db = await openStore<Schema>(await open());
    const old = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0009'));
    await migrate(db, 'universe', old);
    await sql`insert into clusters (name, revision, sealed_documents, provider, kubernetes_version, node_count, changed_at,
      changed_by, founders) values ('demo', 1, 'x', 'local', '1.34', 1, 1, 'ann', '["demo-cp-1"]')`.execute(db);
    await migrate(db, 'universe', migrations);
    expect(await db.selectFrom('clusters').select(['name', 'initial_members']).execute()).toEqual([
      { name: 'demo', initial_members: '["demo-cp-1"]' },
    ]);
    await db.destroy();
  });
});
