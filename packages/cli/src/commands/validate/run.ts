import { clusterName, groupSize } from '@nova-platform/api';
import { readClusters } from '../../clusters.ts';
import { command, problemsAsText } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { problemAsData, sorted } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { count } from '../../words.ts';

export interface ValidateFlags {
  file?: readonly string[];
  against?: string;
  beside?: readonly string[];
  output: Output;
}

export const run = command<ValidateFlags, []>(async function (flags) {
  const { language, style, t } = this;
  const { clusters, documentCount, problems } = await readClusters(this.io, flags);
  const data = {
    valid: problems.length === 0,
    documents: documentCount,
    clusters: clusters.map(({ infrastructure }) => clusterName(infrastructure.value)),
    problems: sorted(problems).map((each) => problemAsData(each, language)),
  };
  if (problems.length > 0) {
    const files = new Set(problems.map(({ place }) => place?.file)).size;
    const summary = t({
      en: `${count(problems.length, 'problem', 'problems')} in ${count(files, 'file', 'files')}.`,
      ru: `Ошибок: ${problems.length}, файлов с ошибками: ${files}.`,
    });
    return {
      data,
      text: `${problemsAsText(problems, language, style)}\n${style.red('✗')} ${summary}`,
      exitCode: exitCodes.invalid.code,
    };
  }
  const nodes = clusters
    .flatMap(({ infrastructure }) => infrastructure.value.spec.nodeGroups)
    .reduce((sum, group) => sum + groupSize(group), 0);
  return {
    data,
    text: `${style.green('✓')} ${t({
      en: `${count(documentCount, 'document is', 'documents are')} valid: ${count(clusters.length, 'cluster', 'clusters')}, ${count(nodes, 'node', 'nodes')}.`,
      ru: `Ошибок нет. Документов: ${documentCount}, кластеров: ${clusters.length}, узлов: ${nodes}.`,
    })}`,
  };
});
