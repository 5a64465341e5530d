export const units = {
  bytes: 'Б',
  kibibytes: 'КиБ',
  mebibytes: 'МиБ',
  gibibytes: 'ГиБ',
  tebibytes: 'ТиБ',
  milliseconds: 'мс',
  seconds: 'с',
  minutes: 'мин',
  hours: 'ч',
};
