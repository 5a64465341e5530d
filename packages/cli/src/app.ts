import type { Language } from '@nova-platform/api';
import { type Application, buildApplication, help, version as versionFlag } from '@stricli/core';
import { buildRouteMap } from './build-command.ts';
import { apply } from './commands/apply/command.ts';
import { audit } from './commands/audit/command.ts';
import { cluster } from './commands/cluster/command.ts';
import { completion } from './commands/completion/command.ts';
import { component } from './commands/component/command.ts';
import { config } from './commands/config/command.ts';
import { console } from './commands/console/command.ts';
import { context } from './commands/context/command.ts';
import { destroy } from './commands/destroy/command.ts';
import { disk } from './commands/disk/command.ts';
import { down } from './commands/down/command.ts';
import { events } from './commands/events/command.ts';
import { explain } from './commands/explain/command.ts';
import { host } from './commands/host/command.ts';
import { image } from './commands/image/command.ts';
import { init } from './commands/init/command.ts';
import { kubeconfig } from './commands/kubeconfig/command.ts';
import { login } from './commands/login/command.ts';
import { logout } from './commands/logout/command.ts';
import { logs } from './commands/logs/command.ts';
import { machine } from './commands/machine/command.ts';
import { module } from './commands/module/command.ts';
import { network } from './commands/network/command.ts';
import { node } from './commands/node/command.ts';
import { operation } from './commands/operation/command.ts';
import { plan } from './commands/plan/command.ts';
import { provider } from './commands/provider/command.ts';
import { registry } from './commands/registry/command.ts';
import { release as releases } from './commands/release/command.ts';
import { scale } from './commands/scale/command.ts';
import { start } from './commands/start/command.ts';
import { status } from './commands/status/command.ts';
import { stop } from './commands/stop/command.ts';
import { template } from './commands/template/command.ts';
import { tenant } from './commands/tenant/command.ts';
import { token } from './commands/token/command.ts';
import { up } from './commands/up/command.ts';
import { user } from './commands/user/command.ts';
import { validate } from './commands/validate/command.ts';
import { version } from './commands/version/command.ts';
import { wait } from './commands/wait/command.ts';
import type { Context } from './context.ts';
import { type Translate, translator } from './language.ts';
import { release } from './release.ts';
import { type FrameFailure, frameTexts } from './texts.ts';

/** All commands. The code of a command is loaded only when the command is called. */
export function createApp(
  language: Language,
  isColoured: boolean,
  onFailure: (failure: FrameFailure) => void = () => undefined,
): Application<Context> {
  const t = translator(language);
  const text = frameTexts(language, onFailure);
  const routes = {
    up: up(t),
    down: down(t),
    host: host(t),
    network: network(t),
    machine: machine(t),
    disk: disk(t),
    image: image(t),
    template: template(t),
    init: init(t),
    validate: validate(t),
    explain: explain(t),
    plan: plan(t),
    apply: apply(t),
    provider: provider(t),
    cluster: cluster(t),
    status: status(t),
    events: events(t),
    logs: logs(t),
    wait: wait(t),
    kubeconfig: kubeconfig(t),
    scale: scale(t),
    stop: stop(t),
    start: start(t),
    destroy: destroy(t),
    module: module(t),
    tenant: tenant(t),
    login: login(t),
    logout: logout(t),
    context: context(t),
    console: console(t),
    operation: operation(t),
    user: user(t),
    token: token(t),
    audit: audit(t),
    node: node(t),
    config: config(t),
    release: releases(t),
    registry: registry(t),
    component: component(t),
    completion: completion(t),
    version: version(t),
  };
  const root = buildRouteMap({
    routes,
    docs: {
      brief: t({
        en: 'Nova: Kubernetes clusters with their machines and networks, from one manifest',
        ru: 'Nova: кластеры Kubernetes вместе с машинами и сетями из одного манифеста',
      }),
      fullDescription: t({
        en: `  nova-ctl up                          start a site on this host
  nova-ctl login https://172.30.0.10   log in to a running Universe
  nova-ctl init                        write a manifest
  nova-ctl apply                       create the cluster it declares
  nova-ctl status demo                 show its state`,
        ru: `  nova-ctl up                          запустить площадку на этом хосте
  nova-ctl login https://172.30.0.10   войти в работающий Universe
  nova-ctl init                        создать манифест
  nova-ctl apply                       создать описанный в нём кластер
  nova-ctl status demo                 показать его состояние`,
      }),
      groups: groupsOf(t),
    },
  });
  const formatting = {
    useAliasInUsageLine: true,
    onlyRequiredInUsageLine: true,
    caseStyle: 'convert-camel-to-kebab',
  } as const;
  return buildApplication(
    root,
    {
      name: 'nova-ctl',
      scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
      documentation: { disableAnsiColor: !isColoured },
      completion: { includeAliases: false },
      localization: { text },
    },
    {
      // Also for a group without a command.
      help: help({ brief: text.briefs.help, formatting, defaultForRouteMap: true }),
      version: versionFlag({ brief: text.briefs.version, info: { currentVersion: release } }),
    },
  );
}

/** The sections of `nova-ctl --help`. */
function groupsOf(t: Translate) {
  return [
    {
      title: t({ en: 'Manifests', ru: 'Манифесты' }),
      commands: ['init', 'validate', 'explain', 'plan', 'provider', 'apply'],
    },
    {
      title: t({ en: 'Clusters', ru: 'Кластеры' }),
      commands: [
        'cluster',
        'status',
        'events',
        'logs',
        'wait',
        'kubeconfig',
        'scale',
        'stop',
        'start',
        'destroy',
        'module',
        'tenant',
      ],
    },
    { title: t({ en: 'Operations', ru: 'Операции' }), commands: ['operation', 'audit'] },
    {
      title: t({ en: 'Access to Universe', ru: 'Доступ к Universe' }),
      commands: ['login', 'logout', 'context', 'console', 'user', 'token'],
    },
    {
      title: t({ en: 'This host', ru: 'Этот хост' }),
      commands: ['up', 'down', 'host', 'network', 'machine', 'disk', 'image', 'template'],
    },
    {
      title: t({ en: 'Configuration of nodes', ru: 'Конфигурация узлов' }),
      commands: ['node', 'config'],
    },
    {
      title: t({ en: 'Software delivery', ru: 'Доставка программ' }),
      commands: ['release', 'registry', 'component'],
    },
    { title: 'nova-ctl', commands: ['completion', 'version'] },
  ];
}
