export const registry = {
  tag: 'Tag',
  description: 'Images that nodes pull, identified by digest.',
  cleanUp: 'Clean up',
  noImages: 'No images yet',
  importImages: '`nova-ctl registry import` adds built images.',
  cleanUpTitle: 'Remove unused layers?',
  cleanUpText: 'Images and tags stay. Pulls and pushes wait until the operation ends.',
} as const;
