import { area } from './area.ts';

export const operations = area(
  'operations',
  { en: 'Operations', ru: 'Операции' },
  {
    NOVA8301: {
      message: { en: '{lock} is locked by operation {id}.', ru: '{lock} заблокирован операцией {id}.' },
      remedy: {
        en: 'Wait for it: `nova-ctl operation show {id} --follow`, or cancel it: `nova-ctl operation cancel {id}`.',
        ru: 'Дождитесь её: `nova-ctl operation show {id} --follow` или отмените: `nova-ctl operation cancel {id}`.',
      },
      status: 409,
    },
    NOVA8302: {
      message: { en: 'There is no operation {id}.', ru: 'Операции {id} нет.' },
      remedy: {
        en: 'List the operations: `nova-ctl operation list`.',
        ru: 'Список операций: `nova-ctl operation list`.',
      },
      status: 404,
    },
    NOVA8303: {
      message: { en: 'Operation {id} is {state}.', ru: 'Операция {id} {state}.' },
      remedy: {
        en: 'Only a failed operation can be resumed. Only a running or failed operation can be cancelled.',
        ru: 'Продолжить можно только операцию со сбоем. Отменить — операцию со сбоем или выполняющуюся.',
      },
      status: 409,
    },
    NOVA8304: {
      message: {
        en: 'Operation {newer} has run on {lock} since operation {id} failed.',
        ru: 'После сбоя операции {id} для {lock} выполнялась операция {newer}.',
      },
      remedy: {
        en: 'See the newer operation: `nova-ctl operation show {newer}`. To do the rest of {id}, apply the manifest again.',
        ru: 'Посмотрите более новую операцию: `nova-ctl operation show {newer}`. Чтобы завершить начатое операцией {id}, снова примените манифест.',
      },
      status: 409,
    },
    NOVA8305: {
      message: { en: 'Failed after {attempts} attempts: {reason}', ru: 'Ошибка после {attempts} попыток: {reason}' },
      remedy: {
        en: 'Check the service that does not respond: `nova-ctl status`. Then resume the operation: `nova-ctl operation resume ID`.',
        ru: 'Проверьте службу, которая не отвечает: `nova-ctl status`. Затем продолжите операцию: `nova-ctl operation resume НОМЕР`.',
      },
    },
    NOVA8306: {
      message: {
        en: 'An older release started operation {id} ({title}), and this release cannot read its input: {field}.',
        ru: 'Операцию {id} ({title}) начал прежний выпуск, и этот выпуск не может прочитать её данные: {field}.',
      },
      remedy: {
        en: 'Apply the manifest again: `nova-ctl apply -f FILE`. Or delete the cluster: `nova-ctl destroy {name}`.',
        ru: 'Снова примените манифест: `nova-ctl apply -f ФАЙЛ`. Или удалите кластер: `nova-ctl destroy {name}`.',
      },
      status: 409,
    },
  },
);
