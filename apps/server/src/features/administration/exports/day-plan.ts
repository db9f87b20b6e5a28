import { addDays } from '@voisol/energy/calendar'
import { and, asc, eq } from 'drizzle-orm'
import { participations, points } from '../../../db/schema/index.ts'
import type { Asking } from './data-set.ts'
import { ofParticipations } from './set-people.ts'

type Span = { from: string; to: string | null }
export type Held = { id: string; prm: string; direction: string; spans: Span[] }
/** Points that are read together, of an operation where the set is about one. */
export type Group = { key: string; points: Held[] }
/** A stretch of days of some points: what is read, written and remembered as one. */
export type Part = { key: string; points: Held[]; from: string; to: string; cursor: string }

/** With the steps of a month, about a hundred thousand values: little memory, and a good group of a file. */
const TOGETHER = 32

/** Whether the day is one of theirs. */
export const covers = ({ spans }: Held, day: string) =>
  spans.some(({ from, to }) => day >= from && (to === null || day < to))

/** Who holds which points, and on which days, by operation. */
export async function heldPoints(asking: Asking): Promise<Group[]> {
  const rows = await asking.db
    .select({
      operationId: participations.operationId,
      id: points.id,
      prm: points.prm,
      direction: points.direction,
      from: participations.startsOn,
      to: participations.endsOn,
    })
    .from(participations)
    .innerJoin(points, and(eq(points.companyId, participations.companyId), eq(points.id, participations.pointId)))
    .where(ofParticipations(asking))
    .orderBy(asc(participations.operationId), asc(points.id), asc(participations.startsOn))
  const groups = new Map<string, Map<string, Held>>()
  for (const { operationId, from, to, ...point } of rows) {
    const group = groups.get(operationId) ?? new Map<string, Held>()
    const held = group.get(point.id) ?? { ...point, spans: [] }
    held.spans.push({ from, to })
    groups.set(operationId, group.set(point.id, held))
  }
  return [...groups].map(([key, held]) => ({ key, points: [...held.values()] }))
}

/** Months, cut at the ends of the period. */
export function* monthsBetween(from: string, to: string): Generator<{ from: string; to: string }> {
  for (let start = from; start < to; ) {
    const next = `${addDays(`${start.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
    const end = next < to ? next : to
    yield { from: start, to: end }
    start = end
  }
}

/** What is left to read after a place; the same points stand together whatever came since. */
export function* partsAfter(
  groups: Group[],
  { from, to }: Pick<Asking, 'from' | 'to'>,
  after: string,
): Generator<Part> {
  const [key = '', first = '', last = '', done = ''] = after.split(' ')
  for (const group of groups) {
    if (after && group.key < key) continue
    const here = after !== '' && group.key === key
    const begun = here ? group.points.filter(({ id }) => id >= first && id <= last) : []
    const rest = here ? group.points.filter(({ id }) => id > last) : group.points
    if (begun.length) yield* partsOf(group.key, begun, done, to)
    for (let at = 0; at < rest.length; at += TOGETHER)
      yield* partsOf(group.key, rest.slice(at, at + TOGETHER), from, to)
  }
}

function* partsOf(key: string, some: Held[], from: string, to: string): Generator<Part> {
  for (const span of monthsBetween(from, to))
    yield { key, points: some, ...span, cursor: [key, some[0]?.id, some.at(-1)?.id, span.to].join(' ') }
}
