export const registry = {
  tag: 'Tag',
  description: 'Images that nodes pull, identified by digest.',
  cleanUp: 'Clean up',
  noImages: 'No images yet',
  importImages: '`nova-ctl registry import` imports built images.',
  cleanUpTitle: 'Clean up the registry?',
  cleanUpText:
    'This removes untagged images and unused layers. Nodes can pull images meanwhile; pushes are refused until the operation ends.',
} as const;
