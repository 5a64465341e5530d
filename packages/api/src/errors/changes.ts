import { area } from './area.ts';

export const changes = area(
  'changes',
  { en: 'Changes of an installed cluster', ru: 'Изменения установленного кластера' },
  {
    NOVA4001: {
      message: {
        en: '{field} cannot change after installation: it is {before}, but the manifest has {after}.',
        ru: '{field} нельзя изменить после установки: сейчас {before}, а в манифесте {after}.',
      },
      remedy: {
        en: 'Set it back to {before}, or install a new cluster.',
        ru: 'Верните {before} или установите новый кластер.',
      },
    },
    NOVA4002: {
      message: {
        en: 'DNS cannot change from internal or hybrid mode to external mode after installation.',
        ru: 'После установки нельзя перейти от внутреннего или гибридного режима DNS к внешнему.',
      },
      remedy: {
        en: 'Remove {zone} from forwardZones. If your DNS servers must resolve the names of the zone, forward it from them to the infra nodes (hybrid mode).',
        ru: 'Уберите {zone} из forwardZones. Если имена зоны должны разрешать ваши серверы DNS, настройте на них пересылку этой зоны на узлы infra (гибридный режим).',
      },
    },
  },
);
