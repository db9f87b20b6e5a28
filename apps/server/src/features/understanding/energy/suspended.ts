import type { Suspended } from '@voisol/contract/primitives'
import { sql } from 'drizzle-orm'
import { clipGaps, daysIn, type Gap, stepsIn } from '../../../core/gaps.ts'
import type { Db } from '../../../db/client.ts'
import { column } from './columns.ts'
import type { HeldPiece } from './pieces.ts'
import type { Member } from './scope.ts'

type Row = { runId: string; pointId: string; gaps: Gap[] }
const MOST = 50

/** What the runs in force had no figure for, of these members and days alone; those that lack most first. */
export async function suspendedIn(db: Db, companyId: number, under: HeldPiece[], members: Member[]) {
  if (!under.length) return []
  const { rows } = await db.execute<Row>(sql`
    select r.id as "runId", m->>'pointId' as "pointId", m->'gaps' as gaps
      from allocation_runs r cross join lateral jsonb_array_elements(r.completeness->'members') m
     where r.company_id = ${companyId} and r.id = any(${column([...new Set(under.map(({ runId }) => runId))])}::uuid[])
       and (m->>'missing')::int > 0`)
  const found = new Map(rows.map(({ runId, pointId, gaps }) => [`${runId} ${pointId}`, gaps]))
  const gaps = new Map<string, Gap[]>()
  for (const { runId, pointId, lo, hi } of under) {
    const own = clipGaps(found.get(`${runId} ${pointId}`) ?? [], lo, hi)
    if (own.length) gaps.set(pointId, [...(gaps.get(pointId) ?? []), ...own])
  }
  const named = new Map(members.map((member) => [member.pointId, member]))
  return [...gaps]
    .flatMap(([pointId, own]) => told(named.get(pointId), own))
    .sort((a, b) => b.steps - a.steps || a.prm.localeCompare(b.prm))
    .slice(0, MOST)
}

/** The points whom one of the runs had no figure for. */
export async function lackingPoints(db: Db, companyId: number, held: { runId: string }[]): Promise<string[]> {
  if (!held.length) return []
  const { rows } = await db.execute<{ pointId: string }>(sql`
    select distinct m->>'pointId' as "pointId"
      from allocation_runs r cross join lateral jsonb_array_elements(r.completeness->'members') m
     where r.company_id = ${companyId} and r.id = any(${column([...new Set(held.map(({ runId }) => runId))])}::uuid[])
       and (m->>'missing')::int > 0`)
  return rows.map(({ pointId }) => pointId)
}

function told(member: Member | undefined, gaps: Gap[]): Suspended[] {
  const ordered = gaps.toSorted((a, b) => a.from.localeCompare(b.from))
  const [first, last] = [ordered[0], ordered.at(-1)]
  if (!member || !first || !last) return []
  const { pointId, prm, label, participantName: holder, direction, storage } = member
  const seat = { pointId, prm, label, holder, direction, ...(storage && { storage }) }
  return [{ ...seat, steps: stepsIn(gaps), days: daysIn(gaps), from: first.from, to: last.to }]
}
