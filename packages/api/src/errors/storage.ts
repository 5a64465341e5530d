import { area } from './area.ts';

export const storage = area(
  'storage',
  { en: 'Disks, snapshots and templates of machines', ru: 'Диски, снимки и шаблоны машин' },
  {
    NOVA7120: {
      message: {
        en: 'The disk {name} is attached to the machine {machine}.',
        ru: 'Диск {name} подключён к машине {machine}.',
      },
      remedy: {
        en: 'A disk is attached to one machine at most. Detach it: `nova-ctl disk detach {name}`.',
        ru: 'Диск подключается не более чем к одной машине. Отключите его: `nova-ctl disk detach {name}`.',
      },
      status: 409,
    },
    NOVA7121: {
      message: { en: 'A disk cannot be mounted at {path}.', ru: 'По пути {path} диск подключить нельзя.' },
      remedy: {
        en: 'Use an absolute path without "." and ".." that no other disk or volume of the machine uses. It cannot be / or a path in /proc, /sys, /dev or /run.',
        ru: 'Укажите абсолютный путь без «.» и «..», не занятый другим диском или томом машины. Нельзя указать / и пути внутри /proc, /sys, /dev и /run.',
      },
    },
    NOVA7122: {
      message: {
        en: 'The disk {name} has the format {format}, which the machine {machine} of the kind {kind} cannot use.',
        ru: 'Диск {name} имеет формат {format}, который не подходит машине {machine} вида {kind}.',
      },
      remedy: {
        en: 'Containers use disks of the format filesystem, VMs those of the format block.',
        ru: 'Контейнерам подходят диски формата filesystem, виртуальным машинам — формата block.',
      },
      status: 409,
    },
    NOVA7123: {
      message: {
        en: 'The disk {name} needs a path in the container {machine}.',
        ru: 'Для диска {name} нужен путь в контейнере {machine}.',
      },
      remedy: { en: 'Add the path: `--path /data`.', ru: 'Укажите путь: `--path /data`.' },
    },
    NOVA7124: {
      message: {
        en: 'The disk {name} cannot shrink from {before} to {after}.',
        ru: 'Диск {name} нельзя уменьшить с {before} до {after}.',
      },
      remedy: {
        en: 'Use {before} or more. For a smaller disk, create another one.',
        ru: 'Укажите не меньше {before}. Для меньшего диска создайте другой.',
      },
      status: 409,
    },
    NOVA7125: {
      message: {
        en: 'This host cannot use disks of the format filesystem.',
        ru: 'Этот хост не может использовать диски формата filesystem.',
      },
      remedy: {
        en: 'It needs XFS in the kernel, loop devices and the package xfsprogs. See `nova-ctl host check`.',
        ru: 'Нужны XFS в ядре, loop-устройства и пакет xfsprogs. Смотрите `nova-ctl host check`.',
      },
    },
    NOVA7126: {
      message: {
        en: 'Not enough space in {folder}: {free} available, {needed} needed.',
        ru: 'Недостаточно места в {folder}: доступно {free}, нужно {needed}.',
      },
      remedy: {
        en: 'Delete disks, snapshots or templates. 1 GiB always stays free for running machines.',
        ru: 'Удалите ненужные диски, снимки или шаблоны. 1 ГиБ всегда остаётся для работающих машин.',
      },
      status: 409,
    },
    NOVA7127: {
      message: {
        en: 'All disks together would have {declared}; the limit is {limit}, {factor} times the file system of {folder}.',
        ru: 'Все диски вместе имели бы {declared}; предел — {limit}, в {factor} раза больше файловой системы {folder}.',
      },
      remedy: {
        en: 'Choose a smaller size, or delete other disks or machines.',
        ru: 'Выберите меньший размер или удалите другие диски или машины.',
      },
      status: 409,
    },
    NOVA7128: {
      message: {
        en: 'The disk {name} cannot be attached to or detached from the machine {machine} now: {reason}.',
        ru: 'Диск {name} сейчас нельзя подключить к машине {machine} или отключить от неё: {reason}.',
      },
      remedy: {
        en: 'End the programs that use it, or stop the machine: `nova-ctl machine stop {machine}`. Then retry.',
        ru: 'Завершите программы, которые его используют, или остановите машину: `nova-ctl machine stop {machine}`. Затем повторите.',
      },
      status: 409,
    },
    NOVA7129: {
      message: {
        en: 'The VM {machine} mounts its disks itself, so it takes no path.',
        ru: 'Виртуальная машина {machine} монтирует диски сама, путь ей не указывают.',
      },
      remedy: {
        en: 'Omit the path. In the VM the disk is /dev/disk/by-id/virtio-NAME.',
        ru: 'Не указывайте путь. В виртуальной машине диск — /dev/disk/by-id/virtio-ИМЯ.',
      },
    },
    NOVA7130: {
      message: {
        en: 'The machine {machine} already has {limit} additional disks.',
        ru: 'У машины {machine} уже {limit} дополнительных дисков.',
      },
      remedy: { en: 'Detach one of them first.', ru: 'Сначала отключите один из них.' },
      status: 409,
    },
    NOVA7131: {
      message: {
        en: 'The snapshot of the machine {name} failed: {reason}',
        ru: 'Не удалось создать снимок машины {name}: {reason}',
      },
      remedy: {
        en: 'Nothing was kept. Fix the cause, or stop the machine, and retry.',
        ru: 'Ничего не сохранено. Устраните причину или остановите машину и повторите.',
      },
    },
    NOVA7132: {
      message: {
        en: 'The machine {name} cannot have snapshots: {reason}.',
        ru: 'У машины {name} не может быть снимков: {reason}.',
      },
      remedy: {
        en: 'Use a machine that was created with `--disk SIZE` and has been started.',
        ru: 'Нужна машина, созданная с `--disk РАЗМЕР` и хотя бы раз запущенная.',
      },
      status: 409,
    },
    NOVA7133: {
      message: {
        en: 'The disk {name} is part of snapshots of the machine {machine}: {snapshots}.',
        ru: 'Диск {name} входит в снимки машины {machine}: {snapshots}.',
      },
      remedy: {
        en: 'Without it they could not be restored. Delete them first: `nova-ctl machine snapshot delete {machine} NAME`.',
        ru: 'Без него их нельзя восстановить. Сначала удалите их: `nova-ctl machine snapshot delete {machine} ИМЯ`.',
      },
      status: 409,
    },
    NOVA7134: {
      message: {
        en: 'The machine {machine} already has {limit} snapshots.',
        ru: 'У машины {machine} уже {limit} снимков.',
      },
      remedy: {
        en: 'Delete one first: `nova-ctl machine snapshot delete {machine} NAME`.',
        ru: 'Сначала удалите один: `nova-ctl machine snapshot delete {machine} ИМЯ`.',
      },
      status: 409,
    },
    NOVA7135: {
      message: {
        en: 'The template {name} is incomplete: {layer} is missing.',
        ru: 'Шаблон {name} неполон: нет {layer}.',
      },
      remedy: {
        en: 'It was removed from this host by hand. Restore it from a backup, or delete the template.',
        ru: 'Это удалено с хоста вручную. Восстановите его из резервной копии или удалите шаблон.',
      },
      status: 409,
    },
    NOVA7136: {
      message: {
        en: 'The template {name} is in use by {users}.',
        ru: 'Шаблон {name} используется: {users}.',
      },
      remedy: { en: 'Delete these machines and templates first.', ru: 'Сначала удалите эти машины и шаблоны.' },
      status: 409,
    },
    NOVA7137: {
      message: {
        en: 'The snapshot {name} contains the disk {disk}, which is not attached to the machine {machine}.',
        ru: 'Снимок {name} содержит диск {disk}, который не подключён к машине {machine}.',
      },
      remedy: {
        en: 'A snapshot is restored with all its disks. Attach the disk first: `nova-ctl disk attach {disk} {machine}`.',
        ru: 'Снимок восстанавливается вместе со всеми дисками. Сначала подключите диск: `nova-ctl disk attach {disk} {machine}`.',
      },
      status: 409,
    },
    NOVA7138: {
      message: {
        en: 'The image of {name} cannot be used: {reason}',
        ru: 'Образ диска {name} нельзя использовать: {reason}',
      },
      remedy: {
        en: 'It may be damaged, incomplete or of another format. Use another file, or restore it from a backup.',
        ru: 'Возможно, он повреждён, неполон или имеет другой формат. Возьмите другой файл или восстановите его из резервной копии.',
      },
    },
    NOVA7139: {
      message: {
        en: 'The name {name} is too long for a disk of the format block.',
        ru: 'Имя {name} слишком длинное для диска формата block.',
      },
      remedy: {
        en: 'VMs find their disks by name: use at most {limit} characters.',
        ru: 'Виртуальные машины находят диски по имени: не больше {limit} символов.',
      },
    },
    NOVA7141: {
      message: {
        en: 'The disk of the machine {name} would have {size}; the limit is {limit}, {factor} times the file system of {folder}.',
        ru: 'Диск машины {name} имел бы {size}; предел — {limit}, в {factor} раза больше файловой системы {folder}.',
      },
      remedy: {
        en: 'Choose a smaller size, or give this host a larger disk.',
        ru: 'Выберите меньший размер или установите на хост диск больше.',
      },
      status: 409,
    },
    NOVA7142: {
      message: {
        en: 'A VM cannot start the system in the file {file}: VMs have no firmware, and start the kernel of an image of Nova.',
        ru: 'ВМ не может запустить систему из файла {file}: у ВМ нет прошивки, они запускают ядро из образа Nova.',
      },
      remedy: {
        en: 'Create the machine from an image of `nova-ctl image list`. The data in the file can be a second disk: `nova-ctl disk import NAME {file}`. For other systems, use zVirt or vSphere.',
        ru: 'Создайте машину из образа из списка `nova-ctl image list`. Данные из файла могут стать вторым диском: `nova-ctl disk import ИМЯ {file}`. Для других систем используйте zVirt или vSphere.',
      },
    },
  },
);
