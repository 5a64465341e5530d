import type { Text } from '@nova-platform/api';

/** Exit codes of nova-ctl; the reference page is generated from this table. */
export const exitCodes = {
  done: { code: 0, meaning: { en: 'Done.', ru: 'Выполнено.' } },
  failed: {
    code: 1,
    meaning: {
      en: 'An external failure, a failed operation, or a defect of nova-ctl.',
      ru: 'Внешний сбой, сбой операции или дефект nova-ctl.',
    },
  },
  invalid: {
    code: 2,
    meaning: {
      en: 'Invalid input: documents, files or arguments. Nothing was changed.',
      ru: 'Неверные входные данные: документы, файлы или аргументы. Ничего не изменено.',
    },
  },
  interrupted: { code: 130, meaning: { en: 'Interrupted by the user.', ru: 'Прервано пользователем.' } },
} as const satisfies Record<string, { code: number; meaning: Text }>;
