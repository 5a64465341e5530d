export const states = {
  changing: 'Changing',
  degraded: 'Degraded',
  running: 'Running',
  cancelling: 'Cancelling',
  stepWaiting: 'waiting',
  stepRunning: 'running',
  stepUndone: 'rolled back',
  moduleWaiting: 'Waiting',
  moduleLeaving: 'Removing',
  moduleOff: 'Disabled',
  runUnchanged: 'No changes',
  runChanged: 'Changed',
} as const;
