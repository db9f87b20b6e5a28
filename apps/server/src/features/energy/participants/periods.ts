import { formatFrenchDay } from '../../../french.ts'

/** Half-open range of days; without end while it lasts. */
export type ParticipationDays = { startsOn: string; endsOn: string | null }

const NO_END = '9999-12-31'
const getEnd = ({ endsOn }: ParticipationDays) => endsOn ?? NO_END

export const isOverlapping = (a: ParticipationDays, b: ParticipationDays) =>
  a.startsOn < getEnd(b) && b.startsOn < getEnd(a)
export const formatParticipationDays = ({ startsOn, endsOn }: ParticipationDays) =>
  endsOn ? `du ${formatFrenchDay(startsOn)} au ${formatFrenchDay(endsOn)}` : `depuis le ${formatFrenchDay(startsOn)}`

/** The days that differ between two states of a participation: figures over them are outdated. */
export function getChangedRange(
  before: ParticipationDays | null,
  after: ParticipationDays | null,
): { from: string; to: string | null } | null {
  const onlyPeriod = before ?? after
  if (!onlyPeriod) return null
  if (!before || !after) return { from: onlyPeriod.startsOn, to: onlyPeriod.endsOn }
  const edges = [
    ...(before.startsOn === after.startsOn ? [] : [before.startsOn, after.startsOn]),
    ...(before.endsOn === after.endsOn ? [] : [getEnd(before), getEnd(after)]),
  ].sort()
  const [first, last] = [edges[0], edges.at(-1)]
  return first && last ? { from: first, to: last === NO_END ? null : last } : null
}

/** One range that contains them all. */
export function mergeIntoOneRange(
  ranges: { from: string; to: string | null }[],
): { from: string; to: string | null } | null {
  const from = ranges.map((span) => span.from).sort()[0]
  if (!from) return null
  const ends = ranges.map((span) => span.to ?? NO_END).sort()
  const last = ends.at(-1) ?? NO_END
  return { from, to: last === NO_END ? null : last }
}
