import type { Operation, OperationStatus, Overview } from '@voisol/contract/operations'
import { and, eq, gt, gte, isNull, lt, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { STATUS_LABELS } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { lockEnrolments } from '../participants/participants.ts'
import { requirementsOf, startOf } from './activation.ts'
import { getOperation, lockOperation } from './find.ts'
import { extentOf } from './perimeter.ts'
import { tellMoved } from './tell.ts'

const NEXT: Record<OperationStatus, OperationStatus[]> = {
  draft: ['pending'],
  pending: ['active', 'draft', 'closed'],
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: [],
}

type Standing = z.infer<typeof Overview>['reconciliation']
/** How operations stand with the distributor, by operation. */
export type Standings = (db: Db, companyId: number, operationIds: string[]) => Promise<Map<string, Standing>>

export async function overviewOf(
  db: Db,
  actor: Actor,
  id: string,
  standings: Standings,
): Promise<z.infer<typeof Overview>> {
  const operation = await getOperation(db, actor, id)
  const extent = await extentOf(db, actor.companyId, operation)
  const waits = operation.status !== 'active' && operation.status !== 'closed'
  const steps = waits ? await requirementsOf(db, actor.companyId, operation, extent) : []
  return {
    ...extent,
    nextSteps: steps.map(({ label, done, url }) => ({ label, done, url })),
    transitions: NEXT[operation.status],
    reconciliation: (await standings(db, actor.companyId, [id])).get(id) ?? null,
  }
}

type Move = { status: OperationStatus; version: number }

export async function moveOperation(tx: Db, actor: Actor, id: string, { status, version }: Move) {
  await lockEnrolments(tx, actor.companyId)
  const before = await lockOperation(tx, actor, id)
  requireVersion(before, { version })
  if (!NEXT[before.status].includes(status)) throw refusedMove(before, status)
  const day = today()
  const change =
    status === 'active'
      ? await activate(tx, actor, before)
      : status === 'closed'
        ? await close(tx, actor, before, day)
        : undefined
  await tx
    .update(operations)
    .set({ ...change, status, version: version + 1 })
    .where(and(eq(operations.companyId, actor.companyId), eq(operations.id, id)))
  const after = await getOperation(tx, actor, id)
  await tellMoved(tx, actor.companyId, after, day)
  return { before, after }
}

function refusedMove({ status }: Operation, wanted: OperationStatus) {
  const name = (state: OperationStatus) => `«\u00a0${STATUS_LABELS[state]}\u00a0»`
  const possible = NEXT[status].map(name).join(', ') || 'aucun autre'
  const message = `Une opération à l’état ${name(status)} ne peut pas passer à ${name(wanted)}\u00a0; états possibles\u00a0: ${possible}.`
  return new AppError('invalid-transition', { message })
}

async function activate(tx: Db, actor: Actor, operation: Operation) {
  const extent = await extentOf(tx, actor.companyId, operation)
  const missing = (await requirementsOf(tx, actor.companyId, operation, extent)).filter(({ done }) => !done)
  if (missing.length)
    throw new AppError('invalid-transition', {
      message: `L’opération ne peut pas être activée\u00a0: ${missing.map(({ refusal }) => refusal).join('\u00a0; ')}.`,
    })
  return { startsOn: await startOf(tx, actor.companyId, operation) }
}

/** Closing lets the points go, since no other operation could take them before; who was still to come does not. */
async function close(tx: Db, actor: Actor, operation: Operation, day: string) {
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
