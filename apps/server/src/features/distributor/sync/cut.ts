import type { SyncKind } from '@voisol/contract/sync'
import { addDays, addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'

export type Span = { from: string; to: string }
export type Member = {
  pointId: string
  prm: string
  direction: 'consumption' | 'production'
  startsOn: string
  endsOn: string | null
}
/** A call to be made: `pointId` is null where the whole operation is asked for. */
export type Call = Span & { pointId: string | null; subject: string; direction: string }

/** A Monday: weeks begin at the same days for everybody, whatever is asked for. */
const ORIGIN = '2001-01-01'
const WEEK = 7
const YEAR = 365

const least = (a: string, b: string) => (a < b ? a : b)
const greatest = (a: string, b: string) => (a > b ? a : b)
export const clip = (span: Span, { startsOn, endsOn }: Pick<Member, 'startsOn' | 'endsOn'>): Span => ({
  from: greatest(span.from, startsOn),
  to: endsOn ? least(span.to, endsOn) : span.to,
})

/** Cut at boundaries that do not depend on what is asked for. */
export function cutEvery(days: number, { from, to }: Span): Span[] {
  const spans: Span[] = []
  for (let at = from; at < to; ) {
    const next = addDays(at, days - (((daysBetween(ORIGIN, at) % days) + days) % days))
    spans.push({ from: at, to: least(next, to) })
    at = next
  }
  return spans
}

export function cutMonths({ from, to }: Span): Span[] {
  const spans: Span[] = []
  for (let at = from; at < to; at = addMonths(monthOf(at), 1))
    spans.push({ from: at, to: least(addMonths(monthOf(at), 1), to) })
  return spans
}

/** Whole months that are over, where the point took part on any of their days. */
const wholeMonths = (span: Span, member: Member, today: string): Span[] => {
  const months = cutMonths({ from: monthOf(span.from), to: span.to }).map(({ from }) => ({
    from,
    to: addMonths(from, 1),
  }))
  return months.filter((month) => {
    const { from, to } = clip(month, member)
    return month.to <= today && from < to
  })
}

const CUTS: Record<Exclude<SyncKind, 'perimeter'>, (span: Span, member: Member, today: string) => Span[]> = {
  'load-curve': (span, member) => cutEvery(WEEK, clip(span, member)),
  'daily-energy': (span, member) => cutEvery(YEAR, clip(span, member)),
  'agreement-series': (span, member) => cutMonths(clip(span, member)),
  definitive: wholeMonths,
}

/** The calls that bring what is asked for, each once: two stays of a point may fall into one month. */
export function cutCalls(kind: SyncKind, span: Span, members: Member[], about: { acc: string; today: string }): Call[] {
  if (kind === 'perimeter') return [{ ...span, pointId: null, subject: about.acc, direction: '' }]
  const calls = new Map<string, Call>()
  for (const member of members)
    for (const part of CUTS[kind](span, member, about.today)) {
      const { pointId, prm: subject, direction } = member
      calls.set(`${pointId} ${part.from} ${part.to}`, { ...part, pointId, subject, direction })
    }
  return [...calls.values()]
}

/** Days in order, as spans that do not cross the end of a week. */
export function cutDays(days: string[]): Span[] {
  const spans: Span[] = []
  for (const day of days.toSorted()) {
    const last = spans.at(-1)
    if (last?.to === day) last.to = addDays(day, 1)
    else spans.push({ from: day, to: addDays(day, 1) })
  }
  return spans.flatMap((span) => cutEvery(WEEK, span))
}
