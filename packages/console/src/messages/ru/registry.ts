export const registry = {
  tag: 'Тег',
  description: 'Образы, которые загружают узлы; каждый определяется дайджестом.',
  cleanUp: 'Очистить',
  noImages: 'Образов пока нет',
  importImages: '`nova-ctl registry import` добавит собранные образы.',
  cleanUpTitle: 'Удалить неиспользуемые слои?',
  cleanUpText: 'Образы и теги остаются. Загрузка и публикация ждут завершения операции.',
};
