export const errors = {
  pageBroken: 'This page cannot be shown',
  pageBrokenHint:
    'A script error stopped this page. The other pages still work; details are in the developer tools of your browser.',
  retry: 'Retry',
  toOverview: 'Go to the overview',
  chunkMissing: 'This page could not be loaded',
  chunkMissingHint:
    'Universe may have been updated, or the connection is lost. The page reloads once Universe responds.',
  reload: 'Reload',
} as const;
