import type { Language } from '@nova-platform/api';
import { type Application, buildApplication, buildRouteMap, help, version as versionFlag } from '@stricli/core';
import { apply } from './commands/apply/command.ts';
import { audit } from './commands/audit/command.ts';
import { cluster } from './commands/cluster/command.ts';
import { completion } from './commands/completion/command.ts';
import { component } from './commands/component/command.ts';
import { config } from './commands/config/command.ts';
import { console } from './commands/console/command.ts';
import { context } from './commands/context/command.ts';
import { destroy } from './commands/destroy/command.ts';
import { down } from './commands/down/command.ts';
import { events } from './commands/events/command.ts';
import { explain } from './commands/explain/command.ts';
import { host } from './commands/host/command.ts';
import { image } from './commands/image/command.ts';
import { init } from './commands/init/command.ts';
import { kubeconfig } from './commands/kubeconfig/command.ts';
import { login } from './commands/login/command.ts';
import { logout } from './commands/logout/command.ts';
import { machine } from './commands/machine/command.ts';
import { module } from './commands/module/command.ts';
import { network } from './commands/network/command.ts';
import { node } from './commands/node/command.ts';
import { operation } from './commands/operation/command.ts';
import { plan } from './commands/plan/command.ts';
import { registry } from './commands/registry/command.ts';
import { release as releases } from './commands/release/command.ts';
import { scale } from './commands/scale/command.ts';
import { start } from './commands/start/command.ts';
import { status } from './commands/status/command.ts';
import { stop } from './commands/stop/command.ts';
import { tenant } from './commands/tenant/command.ts';
import { token } from './commands/token/command.ts';
import { up } from './commands/up/command.ts';
import { user } from './commands/user/command.ts';
import { validate } from './commands/validate/command.ts';
import { version } from './commands/version/command.ts';
import { wait } from './commands/wait/command.ts';
import type { Context } from './context.ts';
import { translator } from './language.ts';
import { release } from './release.ts';
import { frameTexts } from './texts.ts';

/** All commands. The code of a command is loaded only when the command is called. */
export function createApp(language: Language, isColoured: boolean): Application<Context> {
  const t = translator(language);
  const text = frameTexts(language);
  const root = buildRouteMap<string, Context>({
    routes: {
      up: up(t),
      down: down(t),
      init: init(t),
      validate: validate(t),
      explain: explain(t),
      plan: plan(t),
      apply: apply(t),
      cluster: cluster(t),
      kubeconfig: kubeconfig(t),
      scale: scale(t),
      stop: stop(t),
      start: start(t),
      destroy: destroy(t),
      module: module(t),
      release: releases(t),
      tenant: tenant(t),
      login: login(t),
      logout: logout(t),
      console: console(t),
      context: context(t),
      status: status(t),
      events: events(t),
      wait: wait(t),
      operation: operation(t),
      user: user(t),
      token: token(t),
      audit: audit(t),
      host: host(t),
      image: image(t),
      network: network(t),
      machine: machine(t),
      config: config(t),
      node: node(t),
      component: component(t),
      registry: registry(t),
      completion: completion(t),
      version: version(t),
    },
    docs: {
      brief: t({
        en: 'Nova: Kubernetes clusters with their machines and networks, from one manifest.',
        ru: 'Nova: кластеры Kubernetes вместе с машинами и сетями из одного манифеста.',
      }),
      fullDescription: t({
        en: `Nova: Kubernetes clusters with their machines and networks, from one manifest.

Start here:
  nova-ctl init                        write a manifest, cluster.yaml
  nova-ctl validate                    check it
  nova-ctl plan                        see everything that would exist
  nova-ctl explain Infrastructure      look up what can be declared

With Universe, the platform's management server:
  nova-ctl up                          start one on this box
  nova-ctl login https://172.30.0.10   log in to one elsewhere
  nova-ctl status                      see how it is
  nova-ctl operation list              see what it does`,
        ru: `Nova: кластеры Kubernetes вместе с машинами и сетями из одного манифеста.

С чего начать:
  nova-ctl init                        создать манифест cluster.yaml
  nova-ctl validate                    проверить его
  nova-ctl plan                        увидеть всё, что будет создано
  nova-ctl explain Infrastructure      узнать, что можно задать

С Universe, сервером управления платформой:
  nova-ctl up                          запустить его на этой машине
  nova-ctl login https://172.30.0.10   войти в уже работающий
  nova-ctl status                      посмотреть его состояние
  nova-ctl operation list              посмотреть, что он делает`,
      }),
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
      help: help({ brief: text.briefs.help, formatting }),
      version: versionFlag({ brief: text.briefs.version, info: { currentVersion: release } }),
    },
  );
}
