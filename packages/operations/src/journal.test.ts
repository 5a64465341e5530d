import type { StoreLocation } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Event, Journal, NewEvent } from './journal.ts';
import { loseStore, openJournal } from './testing/store.ts';

eachStore('the journal', (locate) => {
  let location: StoreLocation;
  let journal: Journal;
  let heard: Event[];

  beforeEach(async () => {
    location = await locate();
    journal = await openJournal(location);
    heard = [];
    journal.listen((event) => heard.push(event));
  });
  afterEach(() => journal.db.destroy());

  const line = (text: string, more: Partial<NewEvent> = {}): NewEvent => ({
    kind: 'log',
    data: { line: text },
    ...more,
  });
  const say = (...texts: string[]) =>
    journal.write(async (_transaction, emit) => {
      for (const text of texts) await emit(line(text));
    });
  const kept = () => journal.after(0, {}, 1000);
  const linesOf = (events: readonly Event[]) => events.map(({ data }) => data.line);
  const idsOf = (events: readonly Event[]) => events.map(({ id }) => id);

  test('a write returns the result of its work', async () => {
    expect(await journal.write(async () => 7)).toBe(7);
  });

  test('listeners get events exactly as they are stored', async () => {
    const about = { cluster: 'berlin', operation: 4, step: 'run/a' };
    await journal.write(async (_transaction, emit) => {
      await emit(line('Ж\n\u0000', about));
      await emit({ kind: 'cluster', data: { nested: { list: [1, null] } } });
    });
    expect(heard).toEqual(await kept());
    expect(heard).toMatchObject([{ kind: 'log', ...about, data: { line: 'Ж\n\u0000' } }, { kind: 'cluster' }]);
    expect(Object.keys(heard[1] ?? {}).toSorted()).toEqual(['at', 'data', 'id', 'kind']);
  });

  test('listeners get an event only after it is on disk', async () => {
    const found: Promise<Event[]>[] = [];
    journal.listen(({ id }) => found.push(journal.after(id - 1, {}, 1)));
    await say('one', 'two');
    expect((await Promise.all(found)).flat()).toEqual(heard);
  });

  test('a failed write stores nothing and emits no event', async () => {
    const faulty = journal.write(async (_transaction, emit) => {
      await emit(line('never'));
      throw new Error('out of luck');
    });
    await expect(Promise.all([say('one'), faulty])).rejects.toThrow('out of luck');
    await say('two');
    expect(linesOf(heard)).toEqual(['one', 'two']);
    expect(await kept()).toEqual(heard);
  });

  test('a hundred concurrent writers: each event is delivered once, in the order of ids', async () => {
    const writers = Array.from({ length: 100 }, async (_, index) => {
      const name = `writer-${index}`;
      await say(`${name} one`, `${name} two`);
      // Some writes fail, and the others of their batch are repeated.
      if (index % 10 === 0) await journal.write(() => Promise.reject(new Error('no'))).catch(() => undefined);
      await say(`${name} three`);
    });
    await Promise.all(writers);
    expect(heard).toHaveLength(300);
    expect(idsOf(heard)).toEqual(idsOf(heard).toSorted((one, other) => one - other));
    expect(heard).toEqual(await kept());
  });

  test('reading in pages from the last seen id misses nothing', async () => {
    const all = Array.from({ length: 25 }, (_, index) => `line-${index}`);
    await say(...all);
    const seen: Event[] = [];
    for (;;) {
      const page = await journal.after(seen.at(-1)?.id ?? 0, {}, 10);
      seen.push(...page);
      if (page.length < 10) break;
    }
    expect(linesOf(seen)).toEqual(all);
    expect(await journal.last()).toBe(seen.at(-1)?.id);
  });

  test('events are filtered by cluster and operation', async () => {
    await journal.write(async (_transaction, emit) => {
      await emit(line('a', { cluster: 'one', operation: 1 }));
      await emit(line('b', { cluster: 'one', operation: 2 }));
      await emit(line('c', { cluster: 'two', operation: 3 }));
      await emit(line('d'));
    });
    expect(linesOf(await journal.after(0, { cluster: 'one' }, 10))).toEqual(['a', 'b']);
    expect(linesOf(await journal.after(0, { operation: 3 }, 10))).toEqual(['c']);
    expect(linesOf(await journal.after(0, { cluster: 'two', operation: 1 }, 10))).toEqual([]);
  });

  test('a removed listener gets no more events', async () => {
    const texts: unknown[] = [];
    const stop = journal.listen(({ data }) => texts.push(data.line));
    await say('one');
    stop();
    await say('two');
    expect(texts).toEqual(['one']);
  });

  test('an empty journal has 0 as its last id', async () => {
    expect(await journal.last()).toBe(0);
    expect(await kept()).toEqual([]);
  });

  test('events whose commit was not confirmed are delivered once, before new ones', async () => {
    await say('before');
    loseStore(journal.db, { count: 2, isKept: true });
    await expect(say('kept', 'kept too')).rejects.toThrow('the connection is lost');
    expect(linesOf(heard)).toEqual(['before']);
    // Writes that wait meanwhile form one batch.
    const outcomes = await Promise.allSettled([say('kept last'), say('after'), say('after that')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(linesOf(heard)).toEqual(['before', 'kept', 'kept too', 'kept last', 'after', 'after that']);
    expect(heard).toEqual(await kept());
  });

  test('events of a lost commit are never delivered', async () => {
    loseStore(journal.db, { count: 1, isKept: false });
    await expect(say('lost')).rejects.toThrow('the connection is lost');
    await say('after');
    expect(linesOf(heard)).toEqual(['after']);
    expect(heard).toEqual(await kept());
  });

  test('catchUp delivers unconfirmed events once', async () => {
    loseStore(journal.db, { count: 1, isKept: true });
    await expect(say('kept')).rejects.toThrow('the connection is lost');
    await journal.catchUp();
    await journal.catchUp();
    expect(linesOf(heard)).toEqual(['kept']);
  });

  test('prune removes old events and ids keep counting up', async () => {
    await say('old', 'new');
    const [old, recent] = heard;
    const days = (count: number) => Date.now() - count * 24 * 3600_000;
    const age = (id: number | undefined, at: number) =>
      journal.db
        .updateTable('events')
        .set({ at })
        .where('id', '=', id ?? 0)
        .execute();
    await age(old?.id, days(91));
    await age(recent?.id, days(89));
    await journal.prune();
    expect(linesOf(await kept())).toEqual(['new']);

    await age(recent?.id, days(91));
    await journal.prune();
    expect(await kept()).toEqual([]);
    await say('next');
    expect(heard.at(-1)?.id).toBeGreaterThan(recent?.id ?? 0);
  });

  test('prune keeps the newest events', async () => {
    await say('one', 'two');
    const next = (heard[0]?.id ?? 0) + 500_000;
    const jump =
      location.kind === 'sqlite'
        ? sql`update sqlite_sequence set seq = ${next - 1} where name = 'events'`
        : sql`alter table events alter column id restart with ${sql.lit(next)}`;
    await jump.execute(journal.db);
    await say('three');
    expect(heard.at(-1)?.id).toBe(next);
    await journal.prune();
    expect(linesOf(await kept())).toEqual(['two', 'three']);
  });
});
