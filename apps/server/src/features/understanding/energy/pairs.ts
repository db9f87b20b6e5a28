import { allocate } from '@voisol/energy/allocate'
import { dayStart } from '@voisol/energy/calendar'
import { pairs } from '@voisol/energy/pairs'
import { MISSING } from '@voisol/energy/series'
import { sql } from 'drizzle-orm'
import { keySpans } from '../../../core/spans.ts'
import type { Db } from '../../../db/client.ts'
import { loadInput, readEnergies } from '../../energy/allocations/allocations.ts'
import { byMonths, type Held, type HeldPiece } from './pieces.ts'
import type { Member } from './scope.ts'
import { readPacked } from './step-columns.ts'

/** Watt-minutes from one point to another. */
export type Link = { from: string; to: string; energy: number }

type Source = { db: Db; companyId: number; members: Member[] }

/**
 * Who got how much from whom, exactly: the kept months where every day of a month counts, else step by step.
 * What each consumer got and each producer shared at a step is stored; a pooled key mixes them in proportion.
 */
export async function linksOf(source: Source, held: Held[]): Promise<Link[]> {
  const sums = new Map<string, Link>()
  const add = ({ from, to, energy }: Link) => {
    const id = `${from} ${to}`
    const known = sums.get(id)
    if (known) known.energy += energy
    else if (energy > 0) sums.set(id, { from, to, energy })
  }
  for (const run of held) {
    const whole = { from: run.runFrom, to: run.runTo }
    const split = byMonths({ ...run, pointId: '', lo: run.from, hi: run.to, group: 0 }, whole)
    for (const link of await keptLinks(source, run.runId, split.months)) add(link)
    for (const { lo, hi } of split.days)
      for (const link of await countLinks(source, { ...run, from: lo, to: hi })) add(link)
  }
  return [...sums.values()]
}

async function keptLinks(
  { db, companyId }: Source,
  runId: string,
  months: { lo: string; hi: string }[],
): Promise<Link[]> {
  if (!months.length) return []
  const spans = sql.join(
    months.map(({ lo, hi }) => sql`month >= ${lo} and month < ${hi}`),
    sql` or `,
  )
  const { rows } = await db.execute<Link>(sql`
    select producer_id as "from", point_id as "to", sum(energy)::float8 as energy from allocation_pairs
     where company_id = ${companyId} and run_id = ${runId} and (${spans})
     group by 1, 2`)
  return rows
}

async function countLinks(source: Source, run: Held): Promise<Link[]> {
  const { db, companyId } = source
  const { rows } = await db.execute(sql`
    select 1 from allocation_runs where company_id = ${companyId} and id = ${run.runId}
       and key_ids @> '[{"method":"complete"}]'`)
  return rows.length ? recount(source, run) : pooled(source, run)
}

/** A complete key says itself who gets what from whom: it is applied again to those days. */
async function recount(
  { db, companyId }: Source,
  { operationId, from, to, estimated, estimateBy }: Held,
): Promise<Link[]> {
  const input = await loadInput(db, { companyId, operationId, from, to, estimated, estimateBy })
  const { producers, consumers } = await readEnergies(db, input, { from, to })
  const keys = await keySpans(db, input, input.keys, { from, to })
  const steps = (dayStart(to) - dayStart(from)) / input.step
  const allocation = allocate({ steps, producers, consumers, keys })
  return unfold(pairs({ allocation, keys, producers, consumers }, new Uint16Array(steps), 1), producers, consumers)
}

async function pooled({ db, companyId, members }: Source, run: Held): Promise<Link[]> {
  const step = members.find(({ operationId }) => operationId === run.operationId)?.step ?? 15
  const origin = dayStart(run.from)
  const steps = (dayStart(run.to) - origin) / step
  const side = async (direction: Member['direction']) => {
    const pieces = piecesOf(members, run, direction)
    const ids = [...new Set(pieces.map(({ pointId }) => pointId))]
    const curves = new Map(ids.map((id) => [id, new Int32Array(steps)]))
    for (const { piece, day, values } of await readPacked(db, companyId, pieces)) {
      const at = (dayStart(day) - origin) / step
      if (at + values.length <= steps) curves.get(piece.pointId)?.set(values, at)
    }
    const batteries = new Set(members.flatMap(({ pointId, storage }) => (storage ? [pointId] : [])))
    return ids.map((id) => ({
      id,
      values: curves.get(id) ?? new Int32Array(steps),
      active: ALWAYS(steps),
      storage: batteries.has(id),
    }))
  }
  const producers = await side('production')
  const consumers = await side('consumption')
  const allocation = allocationOf(producers, consumers, steps)
  const keys = [{ from: 0, to: steps, key: { method: 'default' as const } }]
  return unfold(pairs({ allocation, keys, producers, consumers }, new Uint16Array(steps), 1), producers, consumers)
}

const ALWAYS = (steps: number): [number, number][] => [[0, steps]]

const piecesOf = (members: Member[], run: Held, direction: Member['direction']): HeldPiece[] => {
  const ids = new Set(
    members.filter((m) => m.direction === direction && m.operationId === run.operationId).map(({ pointId }) => pointId),
  )
  const { operationId, runId, runFrom, runTo, from: lo, to: hi } = run
  return [...ids].sort().map((pointId) => ({ pointId, operationId, runId, runFrom, runTo, lo, hi, group: 0 }))
}

type Curve = { id: string; values: Int32Array; active: [number, number][] }

/** What was computed then, as the pairs take it: only what was got and shared matters to them. */
function allocationOf(producers: Curve[], consumers: Curve[], steps: number) {
  const allocated = consumers.map(({ values }) => values)
  const shared = producers.map(({ values }) => values)
  const excluded = new Uint8Array(steps)
  for (let at = 0; at < steps; at++) if (allocated.every((own) => own[at] === MISSING)) excluded[at] = 1
  const counts = { steps, excluded: 0, consumerMissing: 0, producerMissing: 0, noKey: 0, defaulted: 0 }
  const defaulted = new Uint8Array(steps)
  return { consumed: allocated, allocated, produced: shared, shared, excluded, defaulted, counts }
}

const unfold = (sums: Float64Array, producers: { id: string }[], consumers: { id: string }[]): Link[] =>
  producers.flatMap(({ id: from }, j) =>
    consumers.map(({ id: to }, i) => ({ from, to, energy: sums[j * consumers.length + i] ?? 0 })),
  )
