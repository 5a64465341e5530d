/** All that a git of ours gets from its host: where programs are. Nobody's configuration counts but the repository's own. */
export const environment = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};
