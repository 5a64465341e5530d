import { runGit } from '../run.ts';

/** Commits exactly these files to branch main of a repository. */
export async function commitFiles(repository: string, files: Readonly<Record<string, string>>): Promise<void> {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const stream = [
    'commit refs/heads/main\ncommitter test <test@nova.internal> 0 +0000\n',
    data('files'),
    'deleteall\n',
    ...Object.entries(files).map(([name, text]) => `M 100644 inline ${name}\n${data(text)}`),
    'done\n',
  ];
  await runGit(repository, ['fast-import', '--quiet', '--done', '--force'], stream.join(''));
}
