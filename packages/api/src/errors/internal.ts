import { area } from './area.ts';

export const internal = area(
  'internal',
  { en: 'Defects', ru: 'Дефекты программы' },
  {
    NOVA9001: {
      message: { en: 'Unexpected error: {reason}.', ru: 'Непредвиденная ошибка: {reason}.' },
      remedy: {
        en: 'This is a defect. Run the command again with NOVA_DEBUG=1, and report its output.',
        ru: 'Это дефект программы. Повторите команду с NOVA_DEBUG=1 и приложите её вывод к сообщению об ошибке.',
      },
    },
    NOVA9002: {
      message: { en: 'The server failed to process this request.', ru: 'Сервер не смог выполнить этот запрос.' },
      remedy: {
        en: 'See the log of the server: the number of this request is {id}.',
        ru: 'Причина — в журнале сервера; номер запроса — {id}.',
      },
      status: 500,
    },
  },
);
