import { z } from 'zod';
import { field } from './field.ts';
import { string } from './formats.ts';
import { defineKind } from './kind.ts';

export const terraformLock = defineKind({
  kind: 'TerraformLock',
  version: 'v1alpha1',
  plural: 'terraformlocks',
  description: {
    en: 'The lock on the machines of a cluster. The platform creates it before machines change, and deletes it afterwards.',
    ru: 'Блокировка машин кластера. Платформа создаёт её перед изменением машин и удаляет после него.',
  },
  example: `apiVersion: config.nova-platform.io/v1alpha1
kind: TerraformLock
metadata:
  name: cluster
spec:
  id: 0b7e1f0c-4f0e-4c53-9a3c-2f1f6f3a9d10
  operation: scale
  who: admin@universe
  created: 2026-11-15T10:00:00Z
`,
  spec: field(
    z.strictObject({
      id: field(z.string().min(1).max(128), 'Identifier of the lock.', 'Идентификатор блокировки.', {
        example: '0b7e1f0c-4f0e-4c53-9a3c-2f1f6f3a9d10',
      }),
      operation: field(
        z.string().min(1).max(128),
        'Operation that holds the lock.',
        'Операция, которая удерживает блокировку.',
        {
          example: 'scale',
        },
      ),
      who: field(
        z.string().min(1).max(256),
        'User who started the operation.',
        'Пользователь, который запустил операцию.',
        { example: 'admin@universe' },
      ),
      created: field(string('timestamp'), 'Time when the lock was created.', 'Время создания блокировки.', {
        example: '2026-11-15T10:00:00Z',
      }),
      info: field(z.string().max(4096).optional(), 'Details of the operation.', 'Дополнительные сведения об операции.'),
    }),
    'The holder of the lock.',
    'Владелец блокировки.',
  ),
});

export type TerraformLock = z.output<typeof terraformLock.schema>;
