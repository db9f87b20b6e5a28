import type { AllocationMethod } from '@voisol/contract/primitives'
import type { KeySpan } from '@voisol/energy/allocate'
import { addMonths, dayStart, listDays, monthOf, stepsOfDay } from '@voisol/energy/calendar'
import { findUncoveredSteps } from '@voisol/energy/key-coverage'
import { type AllocationKey, WHOLE_SHARE } from '@voisol/energy/keys'
import { MISSING, type Step } from '@voisol/energy/series'
import { and, asc, eq, gte, inArray, lt } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { keyCoefficients, keyShares, keys } from '../db/schema/index.ts'
import { buildSubPeriods, type OperationMember } from './operation-members.ts'
import { buildGaps, type DayGap, unpackInts } from './readings.ts'

export type KeyVersionShare = { pointId: string; producerId: string | null; share: number | null; rank: number | null }
export type KeyRow = Omit<typeof keys.$inferSelect, 'method'> & { method: AllocationMethod }
export type KeyVersion = KeyRow & { shares: KeyVersionShare[] }

const compareKeyVersions = (a: KeyRow, b: KeyRow) => a.startsOn.localeCompare(b.startsOn) || a.number - b.number

/** The key of an operation with all its versions, drafts included, in the order of their numbers. */
export async function loadKeys(db: Db, companyId: number, operationId: string): Promise<KeyVersion[]> {
  const where = and(eq(keys.companyId, companyId), eq(keys.operationId, operationId))
  const rows = await db.select().from(keys).where(where).orderBy(asc(keys.number))
  const shares = await loadKeyShares(
    db,
    companyId,
    rows.map(({ id }) => id),
  )
  // The column holds only the methods of the contract.
  return rows.map((row) => ({ ...row, method: row.method as AllocationMethod, shares: shares.get(row.id) ?? [] }))
}

async function loadKeyShares(db: Db, companyId: number, ids: string[]): Promise<Map<string, KeyVersionShare[]>> {
  const byKey = new Map<string, KeyVersionShare[]>()
  if (!ids.length) return byKey
  const rows = await db
    .select()
    .from(keyShares)
    .where(and(eq(keyShares.companyId, companyId), inArray(keyShares.keyId, ids)))
    .orderBy(asc(keyShares.keyId), asc(keyShares.producerId), asc(keyShares.pointId))
  for (const { keyId, pointId, producerId, share, rank } of rows) {
    const own = byKey.get(keyId) ?? []
    own.push({ pointId, producerId, share, rank })
    byKey.set(keyId, own)
  }
  return byKey
}

/** The period of a version: from its first day until the next adopted one begins. A draft counts as adopted. */
export function getKeyVersionPeriod<K extends KeyRow>(version: K, all: K[]): { from: string; to: string | null } {
  const after = all
    .filter((other) => other.id !== version.id && other.status === 'adopted' && compareKeyVersions(other, version) > 0)
    .sort(compareKeyVersions)
  return { from: version.startsOn, to: after[0]?.startsOn ?? null }
}

export type EffectiveKey = { version: KeyVersion; from: string; to: string }

/** The adopted versions in force over [from, to), each with its days, in chronological order. */
export function getEffectiveKeys(all: KeyVersion[], from: string, to: string): EffectiveKey[] {
  return all
    .filter(({ status }) => status === 'adopted')
    .sort(compareKeyVersions)
    .map((version) => {
      const span = getKeyVersionPeriod(version, all)
      const first = span.from > from ? span.from : from
      return { version, from: first, to: span.to !== null && span.to < to ? span.to : to }
    })
    .filter((held) => held.from < held.to)
}

type Days = { from: string; to: string }
type KeyCurve = { producerId: string | null; pointId: string; values: Int32Array }

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
function splitKeyByMembership(
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

/** Whole days, the last one not counted. */
export type Period = { from: string; to: string }
type MeteringContext = { step: Step; members: OperationMember[] }

const getLaterDay = (a: string, b: string) => (a > b ? a : b)
const getEarlierDay = (a: string, b: string | null) => (b !== null && b < a ? b : a)

/** The steps, as offsets from the start of the period, at which each point is in the operation. */
export function buildActiveRanges({ members, step }: MeteringContext, period: Period): Map<string, [number, number][]> {
  const origin = dayStart(period.from)
  const at = (day: string) => (dayStart(day) - origin) / step
  const ranges = new Map<string, [number, number][]>()
  for (const { pointId, startsOn, endsOn } of members) {
    const from = getLaterDay(startsOn, period.from)
    const to = getEarlierDay(period.to, endsOn)
    if (from >= to) continue
    ranges.set(pointId, [...(ranges.get(pointId) ?? []), [at(from), at(to)]])
  }
  return ranges
}

/** The keys in force over the period, in the format of the kernel. */
export async function loadKeySpans(
  db: Db,
  setting: MeteringContext,
  keys: EffectiveKey[],
  period: Period,
): Promise<KeySpan[]> {
  const origin = dayStart(period.from)
  const at = (day: string) => (dayStart(day) - origin) / setting.step
  const spans: KeySpan[] = []
  for (const { version, ...held } of keys) {
    const days = { from: getLaterDay(held.from, period.from), to: getEarlierDay(period.to, held.to) }
    if (days.from >= days.to) continue
    const curves = usesCoefficientCurves(version) ? await loadKeyCurves(db, version, days, setting.step) : []
    for (const { from, to, key } of splitKeyByMembership(toEngineKey(version, curves), setting.members, days))
      spans.push({ from: at(from), to: at(to), key })
  }
  return spans
}

/**
 * The days, with their steps, for which keys of coefficients give none to those present: the default rule applies
 * there.
 */
export async function loadUncoveredDays(
  db: Db,
  setting: MeteringContext,
  keys: EffectiveKey[],
  { from, to }: Period,
): Promise<DayGap[]> {
  const curves = keys.filter(({ version }) => usesCoefficientCurves(version))
  const days: { day: string; steps: number }[] = []
  for (let month = monthOf(from); curves.length > 0 && month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    days.push(
      ...(await loadUncoveredDaysOfMonth(db, setting, curves, {
        from: month > from ? month : from,
        to: next < to ? next : to,
      })),
    )
  }
  return buildGaps(days)
}

async function loadUncoveredDaysOfMonth(db: Db, setting: MeteringContext, keys: EffectiveKey[], period: Period) {
  const { step, members } = setting
  const active = buildActiveRanges(setting, period)
  const ids = (direction: OperationMember['direction']) => [
    ...new Set(members.filter((member) => member.direction === direction).map(({ pointId }) => pointId)),
  ]
  const origin = dayStart(period.from)
  const marks = new Uint8Array((dayStart(period.to) - origin) / step)
  for (const { from, to, key } of await loadKeySpans(db, setting, keys, period)) {
    const within = (id: string) => ({
      id,
      active: (active.get(id) ?? []).map(([first, last]): [number, number] => [first - from, last - from]),
    })
    const [consumers, producers] = [ids('consumption').map(within), ids('production').map(within)]
    marks.set(findUncoveredSteps(key, to - from, consumers, producers), from)
  }
  return listDays(period.from, period.to).map((day) => ({ day, steps: countMarkedSteps(marks, day, origin, step) }))
}

/** How many steps of a day are marked. */
export function countMarkedSteps(marks: Uint8Array, day: string, origin: number, step: Step): number {
  const at = (dayStart(day) - origin) / step
  return marks.subarray(at, at + stepsOfDay(day, step)).reduce((sum, is) => sum + is, 0)
}
