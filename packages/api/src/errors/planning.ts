import { area } from './area.ts';

export const planning = area(
  'planning',
  { en: 'Planning', ru: 'Планирование' },
  {
    NOVA5001: {
      message: {
        en: 'The pool of {pool} ({range}) is exhausted: there is no room for {consumer}.',
        ru: 'Пул «{pool}» ({range}) исчерпан: нет места для {consumer}.',
      },
      remedy: {
        en: 'Extend the pool, or request less: {needed} more are required, {free} are free.',
        ru: 'Расширьте пул или запросите меньше: нужно ещё {needed}, свободно {free}.',
      },
    },
    NOVA5002: {
      message: {
        en: 'This version cannot read the plan: {reason}.',
        ru: 'Эта версия не может прочитать план: {reason}.',
      },
      remedy: {
        en: 'Use a file from `nova-ctl plan --output json`.',
        ru: 'Укажите файл, созданный командой `nova-ctl plan --output json`.',
      },
    },
    NOVA5003: {
      message: {
        en: 'The files declare {count} clusters: {clusters}.',
        ru: 'В файлах описано кластеров: {count} ({clusters}).',
      },
      remedy: { en: 'Choose one with --cluster.', ru: 'Выберите один с помощью --cluster.' },
    },
    NOVA5004: {
      message: { en: 'The files declare no cluster.', ru: 'В файлах не описан ни один кластер.' },
      remedy: { en: 'Add an Infrastructure document.', ru: 'Добавьте документ Infrastructure.' },
    },
    NOVA5005: {
      message: {
        en: 'The stored plan of {cluster} comes from another release, and this release cannot read it: {field}.',
        ru: 'Сохранённый план кластера {cluster} создан другим выпуском, и этот выпуск не может его прочитать: {field}.',
      },
      remedy: {
        en: 'First apply the manifest of {cluster} again. Otherwise other clusters could get its addresses.',
        ru: 'Сначала снова примените манифест {cluster}. Иначе его адреса могут достаться другим кластерам.',
      },
      status: 409,
    },
  },
);
