import type { SuspendedMeter } from '@voisol/contract/primitives'
import { sql } from 'drizzle-orm'
import { clipGaps, countGapDays, countGapSteps, type DayGap } from '../../../core/gaps.ts'
import type { Db } from '../../../db/client.ts'
import { toSqlArray } from './columns.ts'
import type { MemberRunPeriod } from './pieces.ts'
import type { Member } from './scope.ts'

type RunGapsRow = { runId: string; pointId: string; gaps: DayGap[] }
const MAX_LISTED_SUSPENDED = 50

/** Members without a value in the runs in force, for these days only; those with the most gaps first. */
export async function listSuspendedMembers(db: Db, companyId: number, under: MemberRunPeriod[], members: Member[]) {
  if (!under.length) return []
  const { rows } = await db.execute<RunGapsRow>(sql`
    select r.id as "runId", m->>'pointId' as "pointId", m->'gaps' as gaps
      from allocation_runs r cross join lateral jsonb_array_elements(r.completeness->'members') m
     where r.company_id = ${companyId} and r.id = any(${toSqlArray([...new Set(under.map(({ runId }) => runId))])}::uuid[])
       and (m->>'missing')::int > 0`)
  const gapsByRunAndPoint = new Map(rows.map(({ runId, pointId, gaps }) => [`${runId} ${pointId}`, gaps]))
  const gaps = new Map<string, DayGap[]>()
  for (const { runId, pointId, lo, hi } of under) {
    const own = clipGaps(gapsByRunAndPoint.get(`${runId} ${pointId}`) ?? [], lo, hi)
    if (own.length) gaps.set(pointId, [...(gaps.get(pointId) ?? []), ...own])
  }
  const membersByPoint = new Map(members.map((member) => [member.pointId, member]))
  return [...gaps]
    .flatMap(([pointId, own]) => toSuspendedMember(membersByPoint.get(pointId), own))
    .sort((a, b) => b.steps - a.steps || a.prm.localeCompare(b.prm))
    .slice(0, MAX_LISTED_SUSPENDED)
}

/** The points with gaps in one of the runs. */
export async function listPointsWithGaps(db: Db, companyId: number, held: { runId: string }[]): Promise<string[]> {
  if (!held.length) return []
  const { rows } = await db.execute<{ pointId: string }>(sql`
    select distinct m->>'pointId' as "pointId"
      from allocation_runs r cross join lateral jsonb_array_elements(r.completeness->'members') m
     where r.company_id = ${companyId} and r.id = any(${toSqlArray([...new Set(held.map(({ runId }) => runId))])}::uuid[])
       and (m->>'missing')::int > 0`)
  return rows.map(({ pointId }) => pointId)
}

function toSuspendedMember(member: Member | undefined, gaps: DayGap[]): SuspendedMeter[] {
  const ordered = gaps.toSorted((a, b) => a.from.localeCompare(b.from))
  const [first, last] = [ordered[0], ordered.at(-1)]
  if (!member || !first || !last) return []
  const { pointId, prm, label, participantName: holder, direction, storage } = member
  const memberFields = { pointId, prm, label, holder, direction, ...(storage && { storage }) }
  return [{ ...memberFields, steps: countGapSteps(gaps), days: countGapDays(gaps), from: first.from, to: last.to }]
}
