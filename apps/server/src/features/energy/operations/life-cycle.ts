import type { Operation, OperationOverview, OperationStatus } from '@voisol/contract/operations'
import { and, eq, gt, gte, isNull, lt, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { OPERATION_STATUS_LABELS } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { lockEnrolments } from '../participants/participants.ts'
import { listRequirements, loadOperationStart } from './activation.ts'
import { loadOperation, lockReadableOperation } from './find.ts'
import { loadOperationExtent } from './perimeter.ts'
import { recordOperationStatusChanged } from './tell.ts'

const ALLOWED_TRANSITIONS: Record<OperationStatus, OperationStatus[]> = {
  draft: ['pending'],
  pending: ['active', 'draft', 'closed'],
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: [],
}

type ReconciliationStatus = z.infer<typeof OperationOverview>['reconciliation']
/** The reconciliation status with the distributor, by operation. */
export type ReconciliationLoader = (
  db: Db,
  companyId: number,
  operationIds: string[],
) => Promise<Map<string, ReconciliationStatus>>

export async function loadOperationOverview(
  db: Db,
  actor: Actor,
  id: string,
  loadReconciliation: ReconciliationLoader,
): Promise<z.infer<typeof OperationOverview>> {
  const operation = await loadOperation(db, actor, id)
  const extent = await loadOperationExtent(db, actor.companyId, operation)
  const isBeforeService = operation.status !== 'active' && operation.status !== 'closed'
  const steps = isBeforeService ? await listRequirements(db, actor.companyId, operation, extent) : []
  return {
    ...extent,
    nextSteps: steps.map(({ label, done, url }) => ({ label, done, url })),
    transitions: ALLOWED_TRANSITIONS[operation.status],
    reconciliation: (await loadReconciliation(db, actor.companyId, [id])).get(id) ?? null,
  }
}

type ChangeStatusInput = { status: OperationStatus; version: number }

export async function changeOperationStatus(tx: Db, actor: Actor, id: string, { status, version }: ChangeStatusInput) {
  await lockEnrolments(tx, actor.companyId)
  const before = await lockReadableOperation(tx, actor, id)
  requireCurrentVersion(before, { version })
  if (!ALLOWED_TRANSITIONS[before.status].includes(status)) throw buildTransitionError(before, status)
  const day = getToday()
  const change =
    status === 'active'
      ? await requireActivable(tx, actor, before)
      : status === 'closed'
        ? await closeParticipations(tx, actor, before, day)
        : undefined
  await tx
    .update(operations)
    .set({ ...change, status, version: version + 1 })
    .where(and(eq(operations.companyId, actor.companyId), eq(operations.id, id)))
  const after = await loadOperation(tx, actor, id)
  await recordOperationStatusChanged(tx, actor.companyId, after, day)
  return { before, after }
}

function buildTransitionError({ status }: Operation, wanted: OperationStatus) {
  const name = (state: OperationStatus) => `«\u00a0${OPERATION_STATUS_LABELS[state]}\u00a0»`
  const possible = ALLOWED_TRANSITIONS[status].map(name).join(', ') || 'aucun autre'
  const message = `Une opération à l’état ${name(status)} ne peut pas passer à ${name(wanted)}\u00a0; états possibles\u00a0: ${possible}.`
  return new AppError('invalid-transition', { message })
}

async function requireActivable(tx: Db, actor: Actor, operation: Operation) {
  const extent = await loadOperationExtent(tx, actor.companyId, operation)
  const missing = (await listRequirements(tx, actor.companyId, operation, extent)).filter(({ done }) => !done)
  if (missing.length)
    throw new AppError('invalid-transition', {
      message: `L’opération ne peut pas être activée\u00a0: ${missing.map(({ refusal }) => refusal).join('\u00a0; ')}.`,
    })
  return { startsOn: await loadOperationStart(tx, actor.companyId, operation) }
}

/** Ends the participations, so that other operations can take the points; future ones are removed. */
async function closeParticipations(tx: Db, actor: Actor, operation: Operation, day: string) {
  const open = and(
    eq(participations.companyId, actor.companyId),
    eq(participations.operationId, operation.id),
    or(isNull(participations.endsOn), gt(participations.endsOn, day)),
  )
  await tx.delete(participations).where(and(open, gte(participations.startsOn, day)))
  await tx
    .update(participations)
    .set({ endsOn: day, version: sql`${participations.version} + 1` })
    .where(and(open, lt(participations.startsOn, day)))
  const { startsOn, endsOn } = operation
  const alreadyOver = endsOn !== null && endsOn < day
  const neverBegan = startsOn !== null && startsOn >= day
  return { endsOn: alreadyOver || neverBegan ? endsOn : day }
}
