import { spawnSync } from 'node:child_process';
import { buildImage, checkHost, installMissing } from '@nova-platform/engine';

// Runs the tests that need machines and networks of this box. Where it cannot have them, says so; in CI that is a failure.
const missing = (await checkHost()).filter(({ isThere, packages }) => !isThere && !packages);
if (missing.length > 0) {
  console.error('Left out: all tests with machines and networks. This box lacks:');
  for (const { what, remedy } of missing) console.error(`  ${what.en}: ${remedy.en}`);
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
} else {
  const say = (step: string) => console.log(step);
  await installMissing(say);
  // The tests' own: what a machine would send with, and a client of registries that is not ours.
  for (const [program, name] of [
    ['ping', 'iputils-ping'],
    ['skopeo', 'skopeo'],
  ] as const) {
    if (!spawnSync(program, ['-V']).error) continue;
    const install = `apt-get -q update && apt-get -q -y install --no-install-recommends ${name}`;
    spawnSync('sh', ['-c', install], { stdio: 'inherit' });
  }
  // Once for all tests: Kubernetes alone takes minutes.
  const flux = ['source', 'kustomize', 'notification', 'helm', 'image-reflector', 'image-automation'];
  const components = ['kubernetes', 'etcd', 'pause', 'coredns', 'distribution', 'nettest']
    .concat(flux.map((name) => `flux-${name}-controller`))
    .concat('metrics-server', 'local-path-provisioner', 'local-path-helper', 'traefik');
  spawnSync('sh', ['nova-ctl', 'component', 'build', ...components], { stdio: 'inherit' });
  const { layers } = await buildImage('network', say);
  const env = { ...process.env, NOVA_OVN_LAYERS: layers.join(':') };
  const { status } = spawnSync('vitest', ['run', '--project', 'host', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env,
  });
  process.exitCode = status ?? 1;
}
