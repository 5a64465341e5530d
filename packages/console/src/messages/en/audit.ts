export const audit = {
  user: 'User',
  credential: 'Credential',
  source: 'Source',
  action: 'Action',
  target: 'Object',
  outcome: 'Outcome',
  description:
    'Every change, and every refused request of a signed-in user, newest first. Entries cannot be changed or removed.',
  filterByUser: 'Filter by user',
  noEntries: 'No entries for this user',
  loadEarlier: 'Load earlier entries',
  succeeded: 'done',
  refused: 'denied ({status})',
  notDone: 'failed ({status})',
} as const;
