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
      message: { en: 'The role {role} is required.', ru: 'Нужна роль {role}.' },
      remedy: {
        en: 'Ask an administrator for the role: `nova-ctl user change NAME --role {role}`.',
        ru: 'Роль может дать администратор: `nova-ctl user change ИМЯ --role {role}`.',
      },
      status: 403,
    },
    NOVA8312: {
      message: { en: 'Wrong user name or password.', ru: 'Неверное имя пользователя или пароль.' },
      remedy: {
        en: 'Retry. An administrator can set a new password: `nova-ctl user password NAME`.',
        ru: 'Повторите попытку. Новый пароль может задать администратор: `nova-ctl user password ИМЯ`.',
      },
      status: 401,
    },
    NOVA8313: {
      message: { en: 'Too many failed login attempts.', ru: 'Слишком много неудачных попыток входа.' },
      remedy: { en: 'Retry in {seconds} seconds.', ru: 'Повторите через {seconds} с.' },
      status: 429,
    },
    NOVA8314: {
      message: { en: 'The user {name} already exists.', ru: 'Пользователь {name} уже существует.' },
      remedy: {
        en: 'To change the user: `nova-ctl user change {name}`.',
        ru: 'Изменить пользователя: `nova-ctl user change {name}`.',
      },
      status: 409,
    },
    NOVA8315: {
      message: { en: 'There is no user {name}.', ru: 'Пользователя {name} нет.' },
      remedy: { en: 'List the users: `nova-ctl user list`.', ru: 'Список пользователей: `nova-ctl user list`.' },
      status: 404,
    },
    NOVA8316: {
      message: {
        en: 'There is no token {id}, or it belongs to another user.',
        ru: 'Токена {id} нет, или он принадлежит другому пользователю.',
      },
      remedy: { en: 'List your tokens: `nova-ctl token list`.', ru: 'Список ваших токенов: `nova-ctl token list`.' },
      status: 404,
    },
    NOVA8317: {
      message: { en: '{name} is the last administrator.', ru: '{name} — последний администратор.' },
      remedy: {
        en: 'First make another user an administrator.',
        ru: 'Сначала назначьте администратором другого пользователя.',
      },
      status: 409,
    },
    NOVA8318: {
      message: {
        en: 'A token cannot have the role {role}: your own role is lower.',
        ru: 'Токену нельзя дать роль {role}: ваша роль ниже.',
      },
      remedy: { en: 'Use your own role or a lower one.', ru: 'Укажите свою роль или более низкую.' },
      status: 403,
    },
    NOVA8319: {
      message: { en: 'The node {node} is not allowed to do this.', ru: 'Узлу {node} это запрещено.' },
      remedy: {
        en: 'A node can only read data of its own cluster.',
        ru: 'Узел может читать только данные своего кластера.',
      },
      status: 403,
    },
    NOVA8323: {
      message: {
        en: 'This token of {cluster} only gives access to the release.',
        ru: 'Этот токен кластера {cluster} даёт доступ только к выпуску.',
      },
      remedy: {
        en: 'Flux in the cluster fetches the release with it. For everything else, use the token of a user.',
        ru: 'С ним Flux кластера получает выпуск. Для всего остального используйте токен пользователя.',
      },
      status: 403,
    },
    NOVA8329: {
      message: { en: 'This login link is no longer valid.', ru: 'Эта ссылка для входа больше не действует.' },
      remedy: {
        en: 'A link works once and for one hour. Get a new one: `nova-ctl console`. Or log in with your password.',
        ru: 'Ссылка действует один раз и в течение часа. Получить новую: `nova-ctl console`. Или войдите по паролю.',
      },
      status: 401,
    },
    NOVA8421: {
      message: {
        en: 'A token cannot expire later than the token that creates it: {expiresAt}.',
        ru: 'Токен не может действовать дольше токена, которым он создан: тот истекает {expiresAt}.',
      },
      remedy: {
        en: 'Use a shorter lifetime. Or create the token in the console after a login with your password, or as root on the host.',
        ru: 'Укажите меньший срок. Либо создайте токен в консоли, войдя по паролю, или от root на хосте.',
      },
      status: 403,
    },
    NOVA8424: {
      message: {
        en: 'Too many {what} at once: the limit of a client is {limit}.',
        ru: 'Слишком много {what} одновременно: предел для клиента — {limit}.',
      },
      remedy: {
        en: 'Retry in {seconds} seconds, or close other connections.',
        ru: 'Повторите через {seconds} с или закройте другие соединения.',
      },
      status: 429,
    },
  },
);
