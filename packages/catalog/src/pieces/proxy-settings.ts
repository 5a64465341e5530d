import type { ClusterPlan } from '@nova-platform/plan';
import type { Credentials, NodeInput } from '../node.ts';
import { file, piece, type Resource } from '../resource.ts';
import { sensitive } from '../sensitive.ts';
import { lines } from './text.ts';

/** Proxy settings for login shells; services get them in their units. */
export function proxySettings(input: NodeInput): Resource[] {
  const settings = proxyVariables(input);
  const content = lines(
    ...settings.flatMap(([name, value]) => [name, name.toLowerCase()].map((each) => `export ${each}='${value}'`)),
  );
  return piece('proxy-settings', secretFile('/etc/profile.d/nova-proxy.sh', settings.length > 0 ? content : undefined));
}

/** A file with credentials: only root can read it, and it is deleted when the credentials are no longer declared. */
export function secretFile(path: string, content: string | undefined, related?: Parameters<typeof file>[2]): Resource {
  const parameters =
    content === undefined
      ? ({ ensure: 'absent' } as const)
      : { content: sensitive(content), mode: '0600', owner: 'root', group: 'root' };
  return file(path, parameters, related);
}

/** The systemd drop-in with the proxy settings of a service. */
export function proxyDropIn(input: NodeInput): string | undefined {
  const settings = proxyVariables(input);
  if (settings.length === 0) return undefined;
  // systemd expands percent signs as specifiers.
  const quoted = (value: string) => value.replace(/%/g, '%%').replace(/["\\]/g, (character) => `\\${character}`);
  return lines('[Service]', ...settings.map(([name, value]) => `Environment="${name}=${quoted(value)}"`));
}

/** The proxy with its credentials, as environment variables. */
export function proxyVariables({
  plan,
  secrets,
}: Pick<NodeInput, 'plan' | 'secrets'>): [name: string, value: string][] {
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
  // Built by hand: URL drops the default port of its scheme, but clients have other default ports for proxies.
  const [, scheme = 'http', rest = address] = /^(https?):\/\/(.*)$/.exec(address) ?? [];
  const login = credentials ? `${encode(credentials.username)}:${encode(credentials.password)}@` : '';
  return [[name, `${scheme}://${login}${rest}`]];
}

/** The result is also safe between single quotes. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/'/g, '%27');
}
