import { randomBytes } from 'node:crypto';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import type { Image } from '@nova-platform/contracts/engine';
import { recipeOf } from '../images/recipes.ts';
import type { Drivers } from '../machines/drivers.ts';
import { assertStopped, knownMachine } from '../machines/known.ts';
import { readMachines } from '../machines/record.ts';
import type { Turns } from '../turns.ts';
import { unknownName } from '../unknown-name.ts';
import type { DiskDrivers } from './driver.ts';
import { createFolder, deleteFolder, removeLeftovers } from './folders.ts';
import {
  layerIn,
  readTemplate,
  readTemplates,
  templateFolder,
  templateImage,
  templatesFolder,
  writeTemplate,
} from './templates.ts';

export interface TemplateSpec {
  name: string;
  machine: string;
  description: string;
}

const imageWord: Text = { en: 'image', ru: 'образ' };
const templateWord: Text = { en: 'template', ru: 'шаблон' };

/** Templates of machines. */
export class TemplateStore {
  readonly #turns: Turns;
  readonly #drivers: Drivers;
  readonly #disks: DiskDrivers;

  constructor(turns: Turns, drivers: Drivers, disks: DiskDrivers) {
    this.#turns = turns;
    this.#drivers = drivers;
    this.#disks = disks;
  }

  async recover(): Promise<void> {
    await removeLeftovers(templatesFolder);
  }

  async create({ name, machine: machineName, description }: TemplateSpec): Promise<Image> {
    return this.#turns.take(`template ${name}`, () =>
      this.#turns.take(`machine ${machineName}`, async () => {
        const machine = await knownMachine(machineName);
        if (recipeOf(name) || (await readTemplate(name)))
          throw new ProblemError(problem('NOVA7021', { kind: imageWord, name }));
        const { kind, diskMebibytes } = machine;
        await assertStopped(machine, this.#drivers[kind]);
        const digest = randomBytes(8).toString('hex');
        const createdAt = new Date().toISOString();
        await createFolder(templateFolder(name), async (folder) => {
          const layers = await this.#disks[kind].copyTo(machine, name, folder);
          const size = kind === 'vm' && diskMebibytes !== undefined && { diskMebibytes };
          await writeTemplate({ name, digest, kind, layers, description, createdAt, ...size }, folder);
        });
        return this.#image(name);
      }),
    );
  }

  /** Queue it with new machines and templates: none of them can use the template meanwhile. */
  async delete(name: string): Promise<void> {
    await this.#turns.take(`template ${name}`, async () => {
      const templates = await readTemplates();
      const names = templates.map((each) => each.name);
      if (!names.includes(name)) throw unknownName(templateWord, name, names);
      const layer = layerIn(templateFolder(name));
      const machines = (await readMachines()).filter(({ image }) => image.layers.includes(layer));
      const above = templates.filter((each) => each.name !== name && each.layers.includes(layer));
      const users = [...machines, ...above].map((each) => each.name);
      if (users.length > 0) throw new ProblemError(problem('NOVA7136', { name, users: users.join(', ') }));
      await deleteFolder(templateFolder(name));
    });
  }

  async #image(name: string): Promise<Image> {
    const record = await readTemplate(name);
    if (!record) throw unknownName(templateWord, name, []);
    return templateImage(record);
  }
}
