export const states = {
  changing: 'Изменяется',
  degraded: 'Есть проблемы',
  running: 'Выполняется',
  cancelling: 'Отменяется',
  stepWaiting: 'ожидает',
  stepRunning: 'выполняется',
  stepUndone: 'откачен',
  moduleWaiting: 'Ожидает',
  moduleLeaving: 'Удаляется',
  moduleOff: 'Выключен',
  runUnchanged: 'Без изменений',
  runChanged: 'Были изменения',
};
