import { createHash } from 'node:crypto'
import { addDays } from '@voisol/energy/calendar'
import { ENGINE_VERSION } from '@voisol/energy/engine'
import type { Step } from '@voisol/energy/series'
import type { TimeCalendar } from '@voisol/energy/time-classes'
import { and, eq, sql } from 'drizzle-orm'
import {
  type EffectiveKey,
  getEffectiveKeys,
  loadKeys,
  type Period,
  usesCoefficientCurves,
} from '../../../core/allocation-keys.ts'
import { listOperationMembers, type OperationMember } from '../../../core/operation-members.ts'
import { ESTIMATE_WINDOW_DAYS } from '../../../core/outdated-runs.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { loadCurveHash } from '../curves/index.ts'

export type EstimateBy = 'own' | 'profile'

/** Everything a run is computed from, except the readings. */
export type RunInput = Period & {
  companyId: number
  operationId: string
  name: string
  step: Step
  calendar: TimeCalendar
  estimated: boolean
  estimateBy: EstimateBy
  members: OperationMember[]
  /** Point ids in a fixed order, so that rounding always favours the same points. */
  consumers: string[]
  producers: string[]
  /** The points of both lists that belong to a battery. */
  batteries: string[]
  keys: EffectiveKey[]
}

type RunInputQuery = Period & {
  companyId: number
  operationId: string
  estimated: boolean
  estimateBy?: EstimateBy | undefined
}

export async function loadRunInput(db: Db, query: RunInputQuery): Promise<RunInput> {
  const { companyId, operationId, from, to, estimated, estimateBy = 'own' } = query
  const where = and(eq(operations.companyId, companyId), eq(operations.id, operationId))
  const [operation] = await db.select().from(operations).where(where)
  if (!operation) throw new AppError('not-found')
  const members = await listOperationMembers(db, companyId, operationId, { from, to })
  const ids = (direction: OperationMember['direction']) =>
    [...new Set(members.filter((m) => m.direction === direction).map(({ pointId }) => pointId))].sort()
  return {
    companyId,
    operationId,
    from,
    to,
    estimated,
    estimateBy,
    members,
    name: operation.name,
    step: operation.stepMinutes as Step, // the column only stores these steps
    calendar: operation.timeCalendar as TimeCalendar, // written by the contract's schema
    consumers: ids('consumption'),
    producers: ids('production'),
    batteries: [...new Set(members.filter(({ storage }) => storage).map(({ pointId }) => pointId))].sort(),
    keys: getEffectiveKeys(await loadKeys(db, companyId, operationId), from, to),
  }
}

/** Throws when a run is impossible, and not just incomplete. */
export function requireBothSides({ consumers, producers }: RunInput) {
  const who = !consumers.length ? 'consommateur' : !producers.length ? 'producteur' : undefined
  if (who) throw fieldError('from', `Aucun ${who} ne participe à l’opération sur cette période.`)
}
export function requireComputable(input: RunInput) {
  requireBothSides(input)
  if (!input.keys.length)
    throw fieldError('from', 'Aucune clé de répartition n’est en vigueur sur cette période : adoptez-en une d’abord.')
}

async function loadCoefficientHash(db: Db, { version, from, to }: EffectiveKey): Promise<string> {
  if (!usesCoefficientCurves(version)) return ''
  const { rows } = await db.execute<{ hash: string }>(sql`
    select encode(sha256(convert_to(coalesce(string_agg(
      concat_ws(' ', coalesce(producer_id::text, 'pool'), point_id, day, md5(values)), ','
      order by producer_id nulls first, point_id, day), ''), 'UTF8')), 'hex') as hash
    from key_coefficients
    where company_id = ${version.companyId} and key_id = ${version.id} and day >= ${from} and day < ${to}`)
  return rows[0]?.hash ?? ''
}

/** A hash of everything the figures depend on: the same hash means the same figures. */
export async function computeInputHash(db: Db, input: RunInput): Promise<string> {
  const { from, to, estimated, estimateBy, step, calendar, members, companyId } = input
  const estimateDays = estimated ? ESTIMATE_WINDOW_DAYS : 0
  const keys = []
  for (const keyPeriod of input.keys) {
    const { id, number, method, shares } = keyPeriod.version
    keys.push([id, number, method, keyPeriod.from, keyPeriod.to, shares, await loadCoefficientHash(db, keyPeriod)])
  }
  const clipped = members.map(({ pointId, direction, storage, startsOn, endsOn }) => [
    pointId,
    direction,
    startsOn > from ? startsOn : from,
    endsOn !== null && endsOn < to ? endsOn : to,
    // Only added for batteries, so that hashes of runs without them are unchanged.
    ...(storage ? ['storage'] : []),
  ])
  const ids = [...input.consumers, ...input.producers]
  const curves = await loadCurveHash(db, companyId, ids, addDays(from, -estimateDays), addDays(to, estimateDays))
  const parts = [ENGINE_VERSION, from, to, step, calendar, estimated && estimateBy, clipped, keys, curves]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
