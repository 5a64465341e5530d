/**
 * The environment of our git processes: only PATH comes from the host. git reads only the configuration of the
 * repository.
 */
export const environment = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};
