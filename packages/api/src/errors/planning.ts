import { area } from './area.ts';

export const planning = area(
  'planning',
  { en: 'Planning', ru: 'Планирование' },
  {
    NOVA5001: {
      message: {
        en: 'The pool of {pool} ({range}) has no place left for {consumer}.',
        ru: 'В пуле «{pool}» ({range}) нет места для {consumer}.',
      },
      remedy: {
        en: 'Widen it, or ask for less: {needed} more needed, {free} free.',
        ru: 'Расширьте его или уменьшите запрос: нужно ещё {needed}, свободно {free}.',
      },
    },
    NOVA5002: {
      message: {
        en: 'Not a plan that this version can read: {reason}.',
        ru: 'Это не план, который понимает эта версия: {reason}.',
      },
      remedy: {
        en: 'Give a file made by `nova-ctl plan --output json`.',
        ru: 'Укажите файл, созданный командой `nova-ctl plan --output json`.',
      },
    },
    NOVA5003: {
      message: {
        en: 'The files declare {count} clusters: {clusters}.',
        ru: 'В файлах объявлено кластеров: {count} ({clusters}).',
      },
      remedy: { en: 'Choose one with --cluster.', ru: 'Выберите один с помощью --cluster.' },
    },
    NOVA5004: {
      message: { en: 'The files declare no cluster.', ru: 'В файлах не объявлен ни один кластер.' },
      remedy: { en: 'Add an Infrastructure document.', ru: 'Добавьте документ Infrastructure.' },
    },
    NOVA5005: {
      message: {
        en: 'The stored plan of {cluster} comes from another release, and this release cannot read it: {field}.',
        ru: 'Сохранённый план кластера {cluster} создан другим выпуском, и этот не может его прочитать: {field}.',
      },
      remedy: {
        en: 'First apply the manifest of {cluster} again: other clusters must not get its addresses.',
        ru: 'Сначала снова примените манифест {cluster}: его адреса не должны достаться другим кластерам.',
      },
      status: 409,
    },
  },
);
