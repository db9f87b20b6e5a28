import { dayStart, stepsOfDay } from '@voisol/energy/calendar'
import { type AllocationKey, WHOLE_SHARE } from '@voisol/energy/keys'
import { MISSING, type Step } from '@voisol/energy/series'
import { and, asc, eq, gte, lt } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { keyCoefficients } from '../db/schema/index.ts'
import type { KeyVersion } from './key-versions.ts'
import type { OperationMember } from './members.ts'
import { buildSubPeriods } from './members.ts'
import { unpackInts } from './packed.ts'

type Days = { from: string; to: string }
export type KeyCurve = { producerId: string | null; pointId: string; values: Int32Array }

/**
 * Writes the coefficients of a day at their place; a coarser step applies to each of its parts, a finer one is ignored.
 */
function placeDayCoefficients(target: Int32Array, at: number, given: Int32Array, steps: number) {
  if (given.length > steps) return
  const parts = steps / given.length
  for (let step = 0; step < steps; step++) target[at + step] = given[Math.floor(step / parts)] ?? MISSING
}

/** The coefficients of a version over [from, to), step by step; MISSING where none was given. */
export async function loadKeyCurves(db: Db, key: KeyVersion, { from, to }: Days, step: Step): Promise<KeyCurve[]> {
  const start = dayStart(from)
  const length = (dayStart(to) - start) / step
  const rows = await db
    .select()
    .from(keyCoefficients)
    .where(
      and(
        eq(keyCoefficients.companyId, key.companyId),
        eq(keyCoefficients.keyId, key.id),
        gte(keyCoefficients.day, from),
        lt(keyCoefficients.day, to),
      ),
    )
    .orderBy(asc(keyCoefficients.producerId), asc(keyCoefficients.pointId), asc(keyCoefficients.day))
  const curves = new Map<string, KeyCurve>()
  for (const { producerId, pointId, day, values } of rows) {
    const id = `${producerId} ${pointId}`
    const curve = curves.get(id) ?? { producerId, pointId, values: new Int32Array(length).fill(MISSING) }
    curves.set(id, curve)
    placeDayCoefficients(curve.values, (dayStart(day) - start) / step, unpackInts(values), stepsOfDay(day, step))
  }
  return [...curves.values()]
}

export const usesCoefficientCurves = ({ method }: KeyVersion) => method === 'simple' || method === 'complete'

const getPoolShares = ({ shares }: KeyVersion) =>
  Object.fromEntries(shares.filter((s) => s.producerId === null).map(({ pointId, share }) => [pointId, share ?? 0]))

function buildCoefficientMatrix(
  { shares }: KeyVersion,
  curves: KeyCurve[],
): Record<string, Record<string, Int32Array | number>> {
  const matrix: Record<string, Record<string, Int32Array | number>> = {}
  const rowOf = (producerId: string) => {
    matrix[producerId] ??= {}
    return matrix[producerId]
  }
  for (const { producerId, pointId, share } of shares) if (producerId) rowOf(producerId)[pointId] = share ?? 0
  for (const { producerId, pointId, values } of curves) {
    if (!producerId) continue
    const row = rowOf(producerId)
    const constant = row[pointId]
    // Where the file has no coefficient, the constant share applies.
    row[pointId] = typeof constant === 'number' ? values.map((v) => (v === MISSING ? constant : v)) : values
  }
  return matrix
}

/** A version in the format of the kernel; curves start where its span starts. */
export function toEngineKey(key: KeyVersion, curves: KeyCurve[]): AllocationKey {
  switch (key.method) {
    case 'static':
    case 'redistributed':
      return { method: key.method, shares: getPoolShares(key) }
    case 'priority':
      return { method: 'priority', ranks: getRanks(key) }
    case 'simple':
      return { method: 'simple', coefficients: Object.fromEntries(getPoolCurves(curves)) }
    case 'complete':
      return { method: 'complete', coefficients: buildCoefficientMatrix(key, curves) }
    default:
      return { method: key.method }
  }
}

const getRanks = ({ shares }: KeyVersion) =>
  Object.fromEntries(shares.flatMap(({ pointId, rank }) => (rank === null ? [] : [[pointId, rank]])))
const getPoolCurves = (curves: KeyCurve[]) =>
  curves.filter(({ producerId }) => producerId === null).map(({ pointId, values }) => [pointId, values] as const)

/** The part of a key for these points only. */
export function restrictKeyToPoints(key: AllocationKey, consumers: string[], producers: string[]): AllocationKey {
  const keep = <T>(record: Record<string, T>, ids: string[]): Record<string, T> => {
    const set = new Set(ids)
    return Object.fromEntries(Object.entries(record).filter(([id]) => set.has(id)))
  }
  if (key.method === 'static' || key.method === 'redistributed') return { ...key, shares: keep(key.shares, consumers) }
  if (key.method === 'priority') return { ...key, ranks: keep(key.ranks, consumers) }
  if (key.method === 'simple') return { ...key, coefficients: keep(key.coefficients, consumers) }
  if (key.method !== 'complete') return key
  const rows = Object.entries(keep(key.coefficients, producers))
  return { ...key, coefficients: Object.fromEntries(rows.map(([id, row]) => [id, keep(row, consumers)])) }
}

/**
 * When a key lists members who follow one another, its shares exceed one in total: it is split at each entry and exit,
 * and applied to those present.
 */
export function splitKeyByMembership(
  key: AllocationKey,
  members: OperationMember[],
  { from, to }: Days,
): (Days & { key: AllocationKey })[] {
  const over =
    key.method === 'redistributed' && Object.values(key.shares).reduce((sum, share) => sum + share, 0) > WHOLE_SHARE
  if (!over) return [{ from, to, key }]
  return buildSubPeriods(members, { from, to }).map((part) => ({
    from: part.from,
    to: part.to ?? to,
    key: restrictKeyToPoints(key, part.consumers, part.producers),
  }))
}
