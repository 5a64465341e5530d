import { area } from './area.ts';

export const internal = area(
  'internal',
  { en: 'Defects', ru: 'Дефекты программы' },
  {
    NOVA9001: {
      message: { en: 'Something unforeseen went wrong: {reason}.', ru: 'Произошла непредвиденная ошибка: {reason}.' },
      remedy: {
        en: 'This is a defect. Run the command again with NOVA_DEBUG=1 and report what it prints.',
        ru: 'Это дефект программы. Повторите команду с NOVA_DEBUG=1 и сообщите, что она выведет.',
      },
    },
    NOVA9002: {
      message: { en: 'The server failed at this request.', ru: 'Сервер не смог выполнить этот запрос.' },
      remedy: { en: 'Its log says why, under the number {id}.', ru: 'Причина — в его журнале под номером {id}.' },
      status: 500,
    },
  },
);
