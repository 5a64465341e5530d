import { area } from './area.ts';

export const access = area(
  'access',
  { en: 'Users, tokens and access', ru: 'Пользователи, токены и доступ' },
  {
    NOVA8310: {
      message: { en: 'Not authenticated.', ru: 'Требуется вход.' },
      remedy: {
        en: 'Log in: `nova-ctl login`. The token may have expired or been revoked.',
        ru: 'Войдите: `nova-ctl login`. Возможно, токен истёк или отозван.',
      },
      status: 401,
    },
    NOVA8311: {
      message: { en: 'This needs the role {role}.', ru: 'Для этого нужна роль {role}.' },
      remedy: {
        en: 'Ask an administrator for it: `nova-ctl user change NAME --role {role}`.',
        ru: 'Попросите её у администратора: `nova-ctl user change ИМЯ --role {role}`.',
      },
      status: 403,
    },
    NOVA8312: {
      message: { en: 'The name or the password is wrong.', ru: 'Неверное имя или пароль.' },
      remedy: {
        en: 'Retry. An administrator can set a new password: `nova-ctl user password NAME`.',
        ru: 'Попробуйте ещё раз. Новый пароль может задать администратор: `nova-ctl user password ИМЯ`.',
      },
      status: 401,
    },
    NOVA8313: {
      message: { en: 'Too many attempts have failed.', ru: 'Слишком много неудачных попыток.' },
      remedy: { en: 'Retry in {seconds} seconds.', ru: 'Повторите через {seconds} с.' },
      status: 429,
    },
    NOVA8314: {
      message: { en: 'There is a user {name} already.', ru: 'Пользователь {name} уже есть.' },
      remedy: { en: '`nova-ctl user change {name}` changes it.', ru: 'Изменить: `nova-ctl user change {name}`.' },
      status: 409,
    },
    NOVA8315: {
      message: { en: 'There is no user {name}.', ru: 'Пользователя {name} нет.' },
      remedy: { en: '`nova-ctl user list` shows them.', ru: 'Список: `nova-ctl user list`.' },
      status: 404,
    },
    NOVA8316: {
      message: { en: 'There is no token {id}, or it is not yours.', ru: 'Токена {id} нет, или он чужой.' },
      remedy: { en: '`nova-ctl token list` shows them.', ru: 'Список: `nova-ctl token list`.' },
      status: 404,
    },
    NOVA8317: {
      message: { en: '{name} is the last administrator.', ru: '{name} — последний администратор.' },
      remedy: { en: 'Make another one first.', ru: 'Сначала назначьте другого.' },
      status: 409,
    },
    NOVA8318: {
      message: {
        en: 'Only a user with the role {role} can give it to a token.',
        ru: 'Роль {role} не может дать токену тот, у кого её нет.',
      },
      remedy: { en: 'Give it a role of yours.', ru: 'Укажите роль не выше своей.' },
      status: 403,
    },
    NOVA8319: {
      message: { en: 'The node {node} is not allowed to do this.', ru: 'Узлу {node} это запрещено.' },
      remedy: {
        en: 'Nodes read what belongs to their own cluster, and nothing else.',
        ru: 'Узлы читают только то, что относится к их кластеру.',
      },
      status: 403,
    },
    NOVA8323: {
      message: {
        en: 'This token of {cluster} is good for the release alone.',
        ru: 'Этот токен кластера {cluster} годится только для чтения выпуска.',
      },
      remedy: {
        en: 'Flux of a cluster fetches the release with it; everything else needs a token of a person.',
        ru: 'С ним Flux кластера получает выпуск; для всего остального нужен токен человека.',
      },
      status: 403,
    },
    NOVA8329: {
      message: { en: 'This login link does not work any more.', ru: 'Эта ссылка для входа больше не действует.' },
      remedy: {
        en: 'A link works once, for an hour. Get another one: `nova-ctl console`. Or log in with your password.',
        ru: 'Ссылка действует один раз, в течение часа. Получить новую: `nova-ctl console`. Или войдите с паролем.',
      },
      status: 401,
    },
    NOVA8421: {
      message: {
        en: 'A token cannot outlive the token it is made with, which expires at {expiresAt}.',
        ru: 'Токен не может действовать дольше токена, с которым он создаётся: тот истекает {expiresAt}.',
      },
      remedy: {
        en: 'Give a shorter lifetime. Or make the token in the console after a login with your password, or as root on the host.',
        ru: 'Укажите меньший срок. Либо создайте токен в консоли, войдя с паролем, или от root на хосте.',
      },
      status: 403,
    },
    NOVA8424: {
      message: {
        en: 'Too many {what} at once: a client may have {limit}.',
        ru: 'Слишком много {what} одновременно: клиенту доступно {limit}.',
      },
      remedy: {
        en: 'Retry in {seconds} seconds, or end others.',
        ru: 'Повторите через {seconds} с или завершите другие.',
      },
      status: 429,
    },
  },
);
