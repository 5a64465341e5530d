import { formats, formatted, ProblemError, problem, type Text } from '@nova-platform/api';

export interface ResolverOptions {
  /** The platform's own zone. Its names are never forwarded. */
  domain: string;
  /** The names that the resolver answers itself. */
  names: readonly { name: string; addresses: readonly string[] }[];
  /** Zones that other servers answer: the base domains of clusters. */
  zones?: readonly { name: string; servers: readonly string[] }[];
  /** The company's DNS servers, for all other names. Without them, no other names resolve. */
  servers: readonly string[];
  /** Defaults to all addresses of the host. */
  listen?: string;
  port?: number;
  /** On loopback: the liveness endpoint. The next port is readiness, the one after that is metrics. */
  healthPort?: number;
}

/** The limit of CoreDNS. */
const mostServers = 15;

/** The Corefile of Universe's resolver for nodes. */
export function resolverCorefile(options: ResolverOptions): string {
  assertValid(options);
  const { domain, names, zones = [], servers, listen, port = 53, healthPort = 8053 } = options;
  const everywhere = [
    ...(listen ? [`bind ${listen}`] : []),
    // While an upstream is down, every query fails: log the first error, then a count once a minute.
    'errors {',
    '    consolidate 1m .+ error show_first',
    '}',
    `prometheus 127.0.0.1:${healthPort + 2}`,
    'loadbalance',
  ];
  // Once per process.
  const program = [`health 127.0.0.1:${healthPort}`, `ready 127.0.0.1:${healthPort + 1}`, 'reload 2s 1s'];
  const ours = [
    // By default "hosts" reads the host's /etc/hosts.
    'hosts /dev/null {',
    ...names.flatMap(({ name, addresses }) => addresses.map((address) => `    ${address} ${name}`)),
    '    ttl 30',
    '    reload 0',
    '    no_reverse',
  ];
  // "hosts" returns SERVFAIL for names that it does not have. A "template" that denies them would run before "hosts"
  // and deny our names too.
  const nothingElse = [
    ...ours,
    '}',
    'rewrite stop rcode regex (.*) SERVFAIL NXDOMAIN',
    // "hosts" passes reverse queries to the next plugin, and there is none here.
    'template ANY PTR {',
    '    rcode NXDOMAIN',
    '}',
  ];
  const forwarded = [
    ...ours,
    '    fallthrough',
    '}',
    'cache 300',
    `forward . ${servers.join(' ')} {`,
    // The order of the company's servers matters: query the next one only if one fails. Failed servers are probed twice
    // a second.
    '    policy sequential',
    '    max_fails 1',
    '    failfast_all_unhealthy_upstreams',
    '}',
  ];
  const handedOn = zones.map((zone) =>
    block(`${zone.name}:${port}`, [
      ...everywhere,
      'cache 30',
      `forward . ${zone.servers.join(' ')} {`,
      // The servers of a stopped cluster do not respond: fail fast.
      '    max_fails 1',
      '    failfast_all_unhealthy_upstreams',
      '}',
    ]),
  );
  if (servers.length === 0)
    return [...handedOn, block(`.:${port}`, [...everywhere, ...program, ...nothingElse])].join('\n');
  return [
    ...handedOn,
    block(`${domain}:${port}`, [...everywhere, ...nothingElse]),
    block(`.:${port}`, [...everywhere, ...program, ...forwarded]),
  ].join('\n');
}

function block(zone: string, lines: readonly string[]): string {
  return `${zone} {\n${lines.map((line) => `    ${line}\n`).join('')}}\n`;
}

/** The values come from configuration and could inject other directives into the Corefile. */
function assertValid({ domain, names, zones = [], servers, listen, port, healthPort }: ResolverOptions): void {
  const isPort = (value: number) => Number.isInteger(value) && value > 0 && value < 65536;
  const checks: Check[] = [
    check('domain', 'domain', domain),
    ...names.flatMap(({ name, addresses }, index) => [
      check(`names[${index}].name`, 'domain', name),
      ...addresses.map((address, place) => check(`names[${index}].addresses[${place}]`, 'address', address)),
    ]),
    ...zones.flatMap((zone, index): Check[] => [
      check(`zones[${index}].name`, 'domain', zone.name),
      ...zone.servers.map((server, place) => check(`zones[${index}].servers[${place}]`, 'address', server)),
      [`zones[${index}].servers`, zone.servers.length <= mostServers, tooMany],
    ]),
    ...servers.map((server, index) => check(`servers[${index}]`, 'address', server)),
    ['servers', servers.length <= mostServers, tooMany],
    ...(listen === undefined ? [] : [check('listen', 'address', listen)]),
    ['port', port === undefined || isPort(port), portNumber],
    ['healthPort', healthPort === undefined || (isPort(healthPort) && isPort(healthPort + 2)), portNumber],
  ];
  const problems = checks
    .filter(([, isValid]) => !isValid)
    .map(([field, , expected]) => problem('NOVA7026', { field, expected }));
  if (problems.length > 0) throw new ProblemError(...problems);
}

const tooMany = { en: `at most ${mostServers} servers`, ru: `не больше ${mostServers} серверов` };
const portNumber = { en: 'a port from 1 to 65535', ru: 'порт от 1 до 65535' };

type Check = [field: string, isValid: boolean, expected: Text];

function check(field: string, format: 'domain' | 'address', value: string): Check {
  return [field, formatted(format).safeParse(value).success, formats[format].expected];
}
