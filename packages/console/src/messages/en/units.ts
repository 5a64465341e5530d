export const units = {
  bytes: 'B',
  kibibytes: 'KiB',
  mebibytes: 'MiB',
  gibibytes: 'GiB',
  tebibytes: 'TiB',
  milliseconds: 'ms',
  seconds: 's',
  minutes: 'min',
  hours: 'h',
} as const;
