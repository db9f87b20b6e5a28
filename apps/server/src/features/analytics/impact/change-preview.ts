import { grantsAccess } from '@voisol/contract/access'
import { CHANGE_ENDPOINTS, type RetroactiveChange, type RetroactiveFileChange } from '@voisol/contract/effects'
import { sql } from 'drizzle-orm'
import { describeFileChange } from '../../../core/change-confirmation.ts'
import type { Db, TouchedDays } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { adoptKey, importCoefficients, updateKey } from '../../energy/allocation-keys/index.ts'
import { buildImportTrial } from '../../energy/curves/index.ts'
import { changeOperationStatus, updateOperation } from '../../energy/operations/index.ts'
import {
  buildBulkTrial,
  changeParticipations,
  createParticipation,
  importParticipants,
  removeParticipation,
  transferPoint,
  updateParticipation,
} from '../../energy/participants/index.ts'

/**
 * The write to simulate. Readings are stored later by a job: their import lists the affected days, and the effects are
 * computed before storing.
 */
export type ChangeTrial = {
  change: object
  write: (tx: Db) => Promise<unknown>
  readings?: { touched: TouchedDays[] }
}

export function requireChangeAllowed(actor: Actor, { kind }: RetroactiveChange | RetroactiveFileChange) {
  if (!grantsAccess(CHANGE_ENDPOINTS[kind].access, actor)) throw new AppError('forbidden')
}

const buildChangeWrite =
  (actor: Actor, change: Exclude<RetroactiveChange, { kind: 'import' | 'many' | 'tariff' }>) => (tx: Db) => {
    switch (change.kind) {
      case 'join':
        return createParticipation(tx, actor, change.body)
      case 'dates':
        return updateParticipation(tx, actor, change.id, change.body)
      case 'transfer':
        return transferPoint(tx, actor, change.id, change.body)
      case 'remove':
        return removeParticipation(tx, actor, change.id)
      case 'bulk':
        return changeParticipations(tx, actor, { ...change.body, dryRun: false })
      case 'adopt':
        return adoptKey(tx, actor, change.id, change.body)
      case 'key':
        return updateKey(tx, actor, change.id, change.body)
      case 'operation':
        return updateOperation(tx, actor, change.id, change.body)
      case 'status':
        return changeOperationStatus(tx, actor, change.id, change.body)
    }
  }

export async function buildChangeTrial(
  ctx: RouteContext,
  change: Exclude<RetroactiveChange, { kind: 'tariff' }>,
): Promise<ChangeTrial> {
  if (change.kind === 'many') return buildBulkTrial(ctx, ctx.actor, change.body, ctx.request.ip)
  if (change.kind !== 'import') return { change, write: buildChangeWrite(ctx.actor, change) }
  const { touched, ...trial } = await buildImportTrial(ctx, ctx.actor, change.id, change.body.overwrite)
  return { ...trial, readings: { touched } }
}

/** Simulates the import of lines or coefficients exactly as the real call stores them. */
export function buildFileTrial(
  ctx: RouteContext,
  { kind, id, name }: RetroactiveFileChange,
  bytes: Uint8Array,
): ChangeTrial {
  const { actor } = ctx
  const write = (db: Db): Promise<unknown> =>
    kind === 'enrol'
      ? importParticipants({ ...ctx, db }, actor, bytes, { operationId: id, dryRun: false })
      : importCoefficients({ ...ctx, db }, actor, id, { name, dryRun: false, bytes })
  return { change: describeFileChange(kind, id, bytes), write }
}

/** Runs the work and rolls back everything it wrote, which also releases its locks. */
export async function runAndRollBack<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint trial`)
  try {
    return await work()
  } finally {
    await tx.execute(sql`rollback to savepoint trial`)
  }
}
