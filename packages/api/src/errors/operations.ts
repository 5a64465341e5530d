import { area } from './area.ts';

export const operations = area(
  'operations',
  { en: 'Operations', ru: 'Операции' },
  {
    NOVA8301: {
      message: { en: '{lock} is locked by operation {id}.', ru: '{lock} занят: с ним работает операция {id}.' },
      remedy: {
        en: 'Wait for it: `nova-ctl operation show {id} --follow`, or end it: `nova-ctl operation cancel {id}`.',
        ru: 'Дождитесь её: `nova-ctl operation show {id} --follow` или завершите: `nova-ctl operation cancel {id}`.',
      },
      status: 409,
    },
    NOVA8302: {
      message: { en: 'There is no operation {id}.', ru: 'Операции {id} нет.' },
      remedy: { en: '`nova-ctl operation list` shows them.', ru: 'Список: `nova-ctl operation list`.' },
      status: 404,
    },
    NOVA8303: {
      message: { en: 'Operation {id} is {state}.', ru: 'Операция {id} в состоянии {state}.' },
      remedy: {
        en: 'Only a failed operation can be resumed, and only a running or failed one cancelled.',
        ru: 'Продолжить можно только неудавшуюся операцию, отменить — выполняющуюся или неудавшуюся.',
      },
      status: 409,
    },
    NOVA8304: {
      message: {
        en: 'Operation {newer} has worked on {lock} since operation {id} failed.',
        ru: 'После сбоя операции {id} с {lock} уже работала операция {newer}.',
      },
      remedy: {
        en: 'Look at the newer one: `nova-ctl operation show {newer}`. To finish the rest of {id}, apply the manifest again.',
        ru: 'Посмотрите более новую: `nova-ctl operation show {newer}`. Недоделанное операцией {id} сделает новое применение.',
      },
      status: 409,
    },
    NOVA8305: {
      message: { en: 'Gave up after {attempts} attempts: {reason}', ru: 'Не удалось за {attempts} попыток: {reason}' },
      remedy: {
        en: 'Check the service that does not respond: `nova-ctl status`. Then resume the operation: `nova-ctl operation resume ID`.',
        ru: 'Проверьте службу, которая не отвечает: `nova-ctl status`. Затем продолжите операцию: `nova-ctl operation resume ID`.',
      },
    },
    NOVA8306: {
      message: {
        en: 'An older release started operation {id} ({title}), and this release cannot read its input: {field}.',
        ru: 'Операцию {id} ({title}) начал прежний выпуск, и этот не может прочитать её данные: {field}.',
      },
      remedy: {
        en: 'Start it anew, and it does the rest: `nova-ctl apply -f FILE`, or `nova-ctl destroy {name}` to remove the cluster.',
        ru: 'Запустите её заново, и она доделает остальное: `nova-ctl apply -f ФАЙЛ`; удалить кластер: `nova-ctl destroy {name}`.',
      },
      status: 409,
    },
  },
);
