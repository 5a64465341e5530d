import type { ClusterPlan } from '@nova-platform/plan';
import type { Credentials, NodeInput } from '../node.ts';
import { file, piece, type Resource } from '../resource.ts';
import { sensitive } from '../sensitive.ts';
import { lines } from './text.ts';

/** The proxy for people's shells; services get it in their own units. */
export function proxySettings(input: NodeInput): Resource[] {
  const settings = proxyVariables(input);
  const content = lines(
    ...settings.flatMap(([name, value]) => [name, name.toLowerCase()].map((each) => `export ${each}='${value}'`)),
  );
  return piece('proxy-settings', secretFile('/etc/profile.d/nova-proxy.sh', settings.length > 0 ? content : undefined));
}

/** Credentials are for root's programs only, and stay nowhere when they are declared no longer. */
export function secretFile(path: string, content: string | undefined, related?: Parameters<typeof file>[2]): Resource {
  const parameters =
    content === undefined
      ? ({ ensure: 'absent' } as const)
      : { content: sensitive(content), mode: '0600', owner: 'root', group: 'root' };
  return file(path, parameters, related);
}

/** The drop-in that gives a service the proxy. */
export function proxyDropIn(input: NodeInput): string | undefined {
  const settings = proxyVariables(input);
  if (settings.length === 0) return undefined;
  // A percent sign would begin a specifier of systemd's.
  const quoted = (value: string) => value.replace(/%/g, '%%').replace(/["\\]/g, (character) => `\\${character}`);
  return lines('[Service]', ...settings.map(([name, value]) => `Environment="${name}=${quoted(value)}"`));
}

/** The proxy with its credentials, as programs take it from their environment. */
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
  // Put together by hand: a URL would drop a port that is its scheme's default, and clients of proxies have other defaults.
  const [, scheme = 'http', rest = address] = /^(https?):\/\/(.*)$/.exec(address) ?? [];
  const login = credentials ? `${encode(credentials.username)}:${encode(credentials.password)}@` : '';
  return [[name, `${scheme}://${login}${rest}`]];
}

/** Also for a place between single quotes. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/'/g, '%27');
}
