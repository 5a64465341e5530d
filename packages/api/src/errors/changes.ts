import { area } from './area.ts';

export const changes = area(
  'changes',
  { en: 'Changes of an installed cluster', ru: 'Изменения установленного кластера' },
  {
    NOVA4001: {
      message: {
        en: '{field} cannot change after installation: it is {before}, and {after} is asked for.',
        ru: '{field} нельзя изменить после установки: сейчас {before}, а запрошено {after}.',
      },
      remedy: {
        en: 'Set it back to {before}, or install a new cluster.',
        ru: 'Верните {before} или установите новый кластер.',
      },
    },
    NOVA4002: {
      message: {
        en: 'DNS cannot go from internal or hybrid to external mode after installation.',
        ru: 'Перейти от внутреннего или гибридного режима DNS к внешнему после установки нельзя.',
      },
      remedy: {
        en: 'Remove {zone} from forwardZones. To let your servers answer for it, forward the zone from them to the infra nodes (hybrid).',
        ru: 'Уберите {zone} из forwardZones. Чтобы имена разрешали ваши серверы, перенаправьте на них зону к узлам infra (гибридный режим).',
      },
    },
  },
);
