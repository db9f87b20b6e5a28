import { addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import type { Period } from './period.ts'
import type { Member } from './scope.ts'

/** The days of a member that count; `group` says with whom they are summed. */
export type Piece = { pointId: string; operationId: string; lo: string; hi: string; group: number }
/** Days of an operation for which the figures of one run hold. */
export type Held = Period & {
  operationId: string
  runId: string
  runFrom: string
  runTo: string
  definitive: boolean
  stale: boolean
  estimated: boolean
  startedAt: Date | null
}
/** Days of a member under one run. */
export type HeldPiece = Piece & { runId: string; runFrom: string; runTo: string }

export const later = (a: string, b: string) => (a > b ? a : b)
export const earlier = (a: string, b: string) => (a < b ? a : b)

export function cut(members: Member[], { from, to }: Period, groupOf: (member: Member, at: number) => number): Piece[] {
  return members.flatMap((member, at) => {
    const lo = later(member.startsOn, from)
    const hi = earlier(member.endsOn ?? to, to)
    if (lo >= hi) return []
    return [{ pointId: member.pointId, operationId: member.operationId, lo, hi, group: groupOf(member, at) }]
  })
}

export const operationsOf = (rows: { operationId: string }[]) => [...new Set(rows.map((row) => row.operationId))]

/** The runs in force over the period, as stretches of days. */
export async function heldOver(db: Db, companyId: number, operationIds: string[], period: Period): Promise<Held[]> {
  if (!operationIds.length) return []
  const { rows } = await db.execute<Omit<Held, 'startedAt'> & { startedAt: string | null }>(sql`
    select c.operation_id as "operationId", c.run_id as "runId", min(c.day)::text as "from", (max(c.day) + 1)::text as "to",
           r.starts_on::text as "runFrom", r.ends_on::text as "runTo", r.kind = 'definitive' as definitive,
           r.stale_at is not null as stale, r.estimated, r.started_at as "startedAt"
      from (select operation_id, run_id, day,
                   day - row_number() over (partition by operation_id, run_id order by day)::int as island
              from allocation_coverage
             where company_id = ${companyId} and operation_id = any(${sql.param(operationIds)}::uuid[])
               and day >= ${period.from} and day < ${period.to}) c
      join allocation_runs r on r.company_id = ${companyId} and r.id = c.run_id
     group by c.operation_id, c.run_id, c.island, r.company_id, r.id
     order by c.operation_id, min(c.day)`)
  return rows.map((row) => ({ ...row, startedAt: row.startedAt === null ? null : new Date(row.startedAt) }))
}

export function underRuns(pieces: Piece[], held: Held[]): HeldPiece[] {
  const byOperation = Map.groupBy(held, ({ operationId }) => operationId)
  return pieces.flatMap((piece) =>
    (byOperation.get(piece.operationId) ?? []).flatMap(({ from, to, runId, runFrom, runTo }) => {
      const lo = later(piece.lo, from)
      const hi = earlier(piece.hi, to)
      return lo < hi ? [{ ...piece, lo, hi, runId, runFrom, runTo }] : []
    }),
  )
}

/** The months of which the piece holds every day that counts, and the days around them. */
export function byMonths<P extends Piece>(piece: P, whole: Period | null): { months: P[]; days: P[] } {
  const months: P[] = []
  const days: P[] = []
  for (let month = monthOf(piece.lo); month < piece.hi; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    const part = { ...piece, lo: later(piece.lo, month), hi: earlier(piece.hi, next) }
    const first = whole ? later(whole.from, month) : month
    const last = whole ? earlier(whole.to, next) : next
    if (part.lo <= first && part.hi >= last) months.push({ ...part, lo: month, hi: next })
    else days.push(part)
  }
  return { months, days }
}
