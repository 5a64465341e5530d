import { changesBetween } from '@nova-platform/change/fields';
import type { OperationKind } from '@nova-platform/operations';
import type { FastifyRequest } from 'fastify';
import { nameOf } from '../access/roles.ts';
import type { Parts } from '../universe.ts';

/** Starts an operation for the user of the request; the audit trail has its ID. */
export async function startFor<Input>(
  request: FastifyRequest,
  { operations }: Pick<Parts, 'operations'>,
  kind: OperationKind<Input>,
  input: Input,
) {
  const operation = await operations.start(kind, input, nameOf(request.identity));
  request.changes = [...(request.changes ?? []), ...changesBetween({}, { operation: operation.id })];
  return operation;
}
