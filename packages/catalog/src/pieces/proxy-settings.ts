import type { ClusterPlan } from '@nova-platform/plan';
import type { Credentials, NodeInput } from '../node.ts';
import { file, piece, type Resource } from '../resource.ts';
import { type Sensitive, sensitive } from '../sensitive.ts';
import { lines } from './text.ts';

/** The proxy for people's shells; services get it in their own units. */
export function proxySettings(input: NodeInput): Resource[] {
  const settings = proxyVariables(input);
  if (settings.length === 0) return [];
  const content = lines(
    ...settings.flatMap(([name, value]) => [name, name.toLowerCase()].map((each) => `export ${each}='${value}'`)),
  );
  // Credentials are for root's programs only.
  return piece(
    'proxy-settings',
    file('/etc/profile.d/nova-proxy.sh', { content: sensitive(content), mode: '0600', owner: 'root', group: 'root' }),
  );
}

/** The drop-in that gives a service the proxy. */
export function proxyDropIn(input: NodeInput): Sensitive | undefined {
  const settings = proxyVariables(input);
  if (settings.length === 0) return undefined;
  // A percent sign would begin a specifier of systemd's.
  const quoted = (value: string) => value.replace(/%/g, '%%').replace(/["\\]/g, (character) => `\\${character}`);
  return sensitive(lines('[Service]', ...settings.map(([name, value]) => `Environment="${name}=${quoted(value)}"`)));
}

function proxyVariables({ plan, secrets }: NodeInput): [name: string, value: string][] {
  const { proxy } = plan;
  if (!proxy) return [];
  return [
    ...variable('HTTP_PROXY', proxy.http, secrets.proxy?.http),
    ...variable('HTTPS_PROXY', proxy.https, secrets.proxy?.https),
    ['NO_PROXY', proxy.noProxy.join(',')],
  ];
}

function variable(
  name: string,
  address: NonNullable<ClusterPlan['proxy']>['http'],
  credentials: Credentials | undefined,
): [string, string][] {
  if (address === undefined) return [];
  const url = new URL(address.includes('://') ? address : `http://${address}`);
  if (credentials) {
    url.username = encode(credentials.username);
    url.password = encode(credentials.password);
  }
  return [[name, url.href.replace(/\/$/, '')]];
}

/** Also for a place between single quotes. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/'/g, '%27');
}
