import { restartsPath, scriptFolder } from '../node-scripts.ts';
import { exec, file, piece, type Resource } from '../resource.ts';
import { certificatesReadBy } from './certificates.ts';

/** Restarts services whose files are newer than their start, because a run was killed before it restarted them. */
export function restarts(resources: readonly Resource[]): Resource[] {
  const services = resources.filter(({ type, relations }) => type === 'service' && relations.subscribe);
  const list = file(restartsPath, { content: services.map(lineOf).join(''), mode: '0644' });
  return piece(
    'restarts',
    list,
    exec(
      'restart what runs with older files',
      { command: `${scriptFolder}/restarts do`, unless: `${scriptFolder}/restarts check` },
      { require: [list, ...services] },
    ),
  );
}

function lineOf({ title, relations: { subscribe = [] } }: Resource): string {
  const unit = title.includes('.') ? title : `${title}.service`;
  const files = subscribe.flatMap((each) => /^File\[(.+)\]$/.exec(each)?.[1] ?? []);
  return `${[unit, ...files, ...certificatesReadBy(title)].join(' ')}\n`;
}
