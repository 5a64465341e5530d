import type { Text } from '@nova-platform/api';

/** Exit codes of nova-ctl; the reference page is generated from this table. */
export const exitCodes = {
  done: { code: 0, meaning: { en: 'Done.', ru: 'Выполнено.' } },
  failed: {
    code: 1,
    meaning: {
      en: 'Something outside failed, or there is a defect in nova-ctl.',
      ru: 'Внешний сбой или дефект nova-ctl.',
    },
  },
  invalid: {
    code: 2,
    meaning: {
      en: 'The input is wrong: documents, files or arguments. Nothing was done.',
      ru: 'Неверные входные данные: документы, файлы или аргументы. Ничего не сделано.',
    },
  },
  interrupted: { code: 130, meaning: { en: 'Interrupted by the user.', ru: 'Прервано пользователем.' } },
} as const satisfies Record<string, { code: number; meaning: Text }>;
