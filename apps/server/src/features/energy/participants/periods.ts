import { frenchDay } from '../../../french.ts'

/** From a day to another that is no longer meant; no end while it lasts. */
export type Span = { startsOn: string; endsOn: string | null }

const FOREVER = '9999-12-31'
const end = ({ endsOn }: Span) => endsOn ?? FOREVER

export const overlaps = (a: Span, b: Span) => a.startsOn < end(b) && b.startsOn < end(a)
export const frenchSpan = ({ startsOn, endsOn }: Span) =>
  endsOn ? `du ${frenchDay(startsOn)} au ${frenchDay(endsOn)}` : `depuis le ${frenchDay(startsOn)}`

/** Where two states of a participation differ: what was computed over these days no longer holds. */
export function difference(before: Span | null, after: Span | null): { from: string; to: string | null } | null {
  const only = before ?? after
  if (!only) return null
  if (!before || !after) return { from: only.startsOn, to: only.endsOn }
  const edges = [
    ...(before.startsOn === after.startsOn ? [] : [before.startsOn, after.startsOn]),
    ...(before.endsOn === after.endsOn ? [] : [end(before), end(after)]),
  ].sort()
  const [first, last] = [edges[0], edges.at(-1)]
  return first && last ? { from: first, to: last === FOREVER ? null : last } : null
}

/** One period that holds them all. */
export function cover(spans: { from: string; to: string | null }[]): { from: string; to: string | null } | null {
  const from = spans.map((span) => span.from).sort()[0]
  if (!from) return null
  const ends = spans.map((span) => span.to ?? FOREVER).sort()
  const last = ends.at(-1) ?? FOREVER
  return { from, to: last === FOREVER ? null : last }
}
