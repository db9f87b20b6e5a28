import { allocateEnergy } from '@voisol/energy/allocate'
import { dayStart } from '@voisol/energy/calendar'
import { computePairs } from '@voisol/energy/pairs'
import { MISSING } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import { loadKeySpans } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import { loadEnergies, loadRunInput } from '../../energy/allocations/allocations.ts'
import { type MemberRunPeriod, type RunInForce, splitWholeMonths } from './pieces.ts'
import type { Member } from './scope.ts'
import { loadAllocatedDays } from './step-columns.ts'

/** Watt-minutes from one point to another. */
export type EnergyLink = { from: string; to: string; energy: number }

type LinkSource = { db: Db; companyId: number; members: Member[] }

/**
 * Exact energy between each pair of points: from monthly rows when every day of a month counts, otherwise step by step.
 * Each consumer's and producer's energy at a step is stored; a pooled key mixes them in proportion.
 */
export async function loadEnergyLinks(source: LinkSource, runsInForce: RunInForce[]): Promise<EnergyLink[]> {
  const sums = new Map<string, EnergyLink>()
  const add = ({ from, to, energy }: EnergyLink) => {
    const id = `${from} ${to}`
    const known = sums.get(id)
    if (known) known.energy += energy
    else if (energy > 0) sums.set(id, { from, to, energy })
  }
  for (const run of runsInForce) {
    const whole = { from: run.runFrom, to: run.runTo }
    const monthsAndDays = splitWholeMonths({ ...run, pointId: '', lo: run.from, hi: run.to, group: 0 }, whole)
    for (const link of await readMonthlyLinks(source, run.runId, monthsAndDays.months)) add(link)
    for (const { lo, hi } of monthsAndDays.days)
      for (const link of await computeLinks(source, { ...run, from: lo, to: hi })) add(link)
  }
  return [...sums.values()]
}

async function readMonthlyLinks(
  { db, companyId }: LinkSource,
  runId: string,
  months: { lo: string; hi: string }[],
): Promise<EnergyLink[]> {
  if (!months.length) return []
  const monthRanges = sql.join(
    months.map(({ lo, hi }) => sql`month >= ${lo} and month < ${hi}`),
    sql` or `,
  )
  const { rows } = await db.execute<EnergyLink>(sql`
    select producer_id as "from", point_id as "to", sum(energy)::float8 as energy from allocation_pairs
     where company_id = ${companyId} and run_id = ${runId} and (${monthRanges})
     group by 1, 2`)
  return rows
}

async function computeLinks(source: LinkSource, run: RunInForce): Promise<EnergyLink[]> {
  const { db, companyId } = source
  const { rows } = await db.execute(sql`
    select 1 from allocation_runs where company_id = ${companyId} and id = ${run.runId}
       and key_ids @> '[{"method":"complete"}]'`)
  return rows.length ? recomputeCompleteKeyLinks(source, run) : computePooledLinks(source, run)
}

/** A complete key defines each pair itself, so it is applied again to those days. */
async function recomputeCompleteKeyLinks(
  { db, companyId }: LinkSource,
  { operationId, from, to, estimated, estimateBy }: RunInForce,
): Promise<EnergyLink[]> {
  const input = await loadRunInput(db, { companyId, operationId, from, to, estimated, estimateBy })
  const { producers, consumers } = await loadEnergies(db, input, { from, to })
  const keys = await loadKeySpans(db, input, input.keys, { from, to })
  const steps = (dayStart(to) - dayStart(from)) / input.step
  const allocation = allocateEnergy({ steps, producers, consumers, keys })
  return toLinks(
    computePairs({ allocation, keys, producers, consumers }, new Uint16Array(steps), 1),
    producers,
    consumers,
  )
}

async function computePooledLinks({ db, companyId, members }: LinkSource, run: RunInForce): Promise<EnergyLink[]> {
  const step = members.find(({ operationId }) => operationId === run.operationId)?.step ?? 15
  const origin = dayStart(run.from)
  const steps = (dayStart(run.to) - origin) / step
  const loadSideCurves = async (direction: Member['direction']) => {
    const pieces = buildRunPeriods(members, run, direction)
    const ids = [...new Set(pieces.map(({ pointId }) => pointId))]
    const curves = new Map(ids.map((id) => [id, new Int32Array(steps)]))
    for (const { piece, day, values } of await loadAllocatedDays(db, companyId, pieces)) {
      const at = (dayStart(day) - origin) / step
      if (at + values.length <= steps) curves.get(piece.pointId)?.set(values, at)
    }
    const batteries = new Set(members.flatMap(({ pointId, storage }) => (storage ? [pointId] : [])))
    return ids.map((id) => ({
      id,
      values: curves.get(id) ?? new Int32Array(steps),
      active: buildAlwaysActive(steps),
      storage: batteries.has(id),
    }))
  }
  const producers = await loadSideCurves('production')
  const consumers = await loadSideCurves('consumption')
  const allocation = toAllocation(producers, consumers, steps)
  const keys = [{ from: 0, to: steps, key: { method: 'default' as const } }]
  return toLinks(
    computePairs({ allocation, keys, producers, consumers }, new Uint16Array(steps), 1),
    producers,
    consumers,
  )
}

const buildAlwaysActive = (steps: number): [number, number][] => [[0, steps]]

const buildRunPeriods = (members: Member[], run: RunInForce, direction: Member['direction']): MemberRunPeriod[] => {
  const ids = new Set(
    members.filter((m) => m.direction === direction && m.operationId === run.operationId).map(({ pointId }) => pointId),
  )
  const { operationId, runId, runFrom, runTo, from: lo, to: hi } = run
  return [...ids].sort().map((pointId) => ({ pointId, operationId, runId, runFrom, runTo, lo, hi, group: 0 }))
}

type LinkCurve = { id: string; values: Int32Array; active: [number, number][] }

/** The stored result in the allocation format: pairs only need received and shared energy. */
function toAllocation(producers: LinkCurve[], consumers: LinkCurve[], steps: number) {
  const allocated = consumers.map(({ values }) => values)
  const shared = producers.map(({ values }) => values)
  const excluded = new Uint8Array(steps)
  for (let at = 0; at < steps; at++) if (allocated.every((own) => own[at] === MISSING)) excluded[at] = 1
  const counts = { steps, excluded: 0, consumerMissing: 0, producerMissing: 0, noKey: 0, defaulted: 0 }
  const defaulted = new Uint8Array(steps)
  return { consumed: allocated, allocated, produced: shared, shared, excluded, defaulted, counts }
}

const toLinks = (sums: Float64Array, producers: { id: string }[], consumers: { id: string }[]): EnergyLink[] =>
  producers.flatMap(({ id: from }, j) =>
    consumers.map(({ id: to }, i) => ({ from, to, energy: sums[j * consumers.length + i] ?? 0 })),
  )
