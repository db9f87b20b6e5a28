import { allows } from '@voisol/contract/access'
import { CHANGED_BY, type Change, type FileChange } from '@voisol/contract/effects'
import { sql } from 'drizzle-orm'
import { fileChange } from '../../../core/shown.ts'
import type { Db, Touched } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { Context } from '../../../http/route.ts'
import { importTrial } from '../../energy/curves/curves.ts'
import { adoptKey, importCoefficients, updateKey } from '../../energy/keys/keys.ts'
import { moveOperation, updateOperation } from '../../energy/operations/operations.ts'
import {
  changeMany,
  createParticipation,
  importParticipants,
  manyTrial,
  removeParticipation,
  transferPoint,
  updateParticipation,
} from '../../energy/participants/participants.ts'

/**
 * The very write that would be made. Readings are stored by a job later on: their import says by itself which days it
 * touches, and its effects are seen from what is stored before it.
 */
export type Trial = {
  change: object
  write: (tx: Db) => Promise<unknown>
  readings?: { touched: Touched[] }
}

export function requireAllowed(actor: Actor, { kind }: Change | FileChange) {
  if (!allows(CHANGED_BY[kind].access, actor)) throw new AppError('forbidden')
}

const write = (actor: Actor, change: Exclude<Change, { kind: 'import' | 'many' | 'tariff' }>) => (tx: Db) => {
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
      return changeMany(tx, actor, { ...change.body, dryRun: false })
    case 'adopt':
      return adoptKey(tx, actor, change.id, change.body)
    case 'key':
      return updateKey(tx, actor, change.id, change.body)
    case 'operation':
      return updateOperation(tx, actor, change.id, change.body)
    case 'status':
      return moveOperation(tx, actor, change.id, change.body)
  }
}

export async function trialOf(ctx: Context, change: Exclude<Change, { kind: 'tariff' }>): Promise<Trial> {
  if (change.kind === 'many') return manyTrial(ctx, ctx.actor, change.body, ctx.request.ip)
  if (change.kind !== 'import') return { change, write: write(ctx.actor, change) }
  const { touched, ...trial } = await importTrial(ctx, ctx.actor, change.id, change.body.overwrite)
  return { ...trial, readings: { touched } }
}

/** The lines or coefficients of a file, read and stored as its own call does. */
export function fileTrial(ctx: Context, { kind, id, name }: FileChange, bytes: Uint8Array): Trial {
  const { actor } = ctx
  const write = (db: Db): Promise<unknown> =>
    kind === 'enrol'
      ? importParticipants({ ...ctx, db }, actor, bytes, { operationId: id, dryRun: false })
      : importCoefficients({ ...ctx, db }, actor, id, { name, dryRun: false, bytes })
  return { change: fileChange(kind, id, bytes), write }
}

/** Does the work, then takes back all that it wrote; what it locked is free again. */
export async function takenBack<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`savepoint trial`)
  try {
    return await work()
  } finally {
    await tx.execute(sql`rollback to savepoint trial`)
  }
}
