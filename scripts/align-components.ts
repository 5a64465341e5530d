import { cacheFolder, findToolchain, misaligned, raiseModules, readComponents } from '@nova-platform/distro';

// Raises the pins of components until those of one graph agree. A raised module may need newer ones of its own.
const toolchain = await findToolchain(cacheFolder(), (line) => console.log(line));
for (;;) {
  const found = await misaligned(await readComponents());
  if (found.length === 0) break;
  for (const component of new Set(found.flatMap(({ components }) => components))) {
    const raised = found.filter(({ components }) => components.includes(component));
    console.log(`${component.name}: ${raised.map(({ module, version }) => `${module} ${version}`).join(', ')}`);
    await raiseModules(component, raised, { toolchain });
  }
}
