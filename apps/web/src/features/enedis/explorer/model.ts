import type { AgreementPoint, AgreementSeries, SeriesType } from '@voisol/contract/enedis'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import type { z } from 'zod'
import { SERIES_TYPES } from '../../../lib/distributor-labels.ts'
import type { ExplorerSeries, Role } from '../../../ui/curve-explorer/model.ts'

export type One = z.output<typeof AgreementSeries>
type Line = z.output<typeof AgreementPoint>
type Span = Pick<Line, 'startsOn' | 'endsOn'>
/** A point on one side of the agreement; it may have left and come back. */
export type ThePoint = Omit<Line, keyof Span> & { id: string; spans: Span[] }

/** One entry per point and side, in the order in which the distributor names them. */
export function pointsOf(lines: Line[]): ThePoint[] {
  const points = new Map<string, ThePoint>()
  for (const { startsOn, endsOn, ...line } of lines) {
    const id = `${line.role}-${line.prm}`
    const known = points.get(id)
    if (known) known.spans.push({ startsOn, endsOn })
    else points.set(id, { ...line, id, spans: [{ startsOn, endsOn }] })
  }
  return [...points.values()]
}
export const MOST_DAYS = 31

/** What the distributor gives of each side, and of an agreement as a whole. */
const TYPES: Record<'cons' | 'prod' | 'all', SeriesType[]> = {
  cons: ['cons', 'autocons', 'complement'],
  prod: ['prod', 'autocons', 'surplus'],
  all: ['cons', 'prod', 'autocons', 'surplus', 'complement'],
}
export const typesOf = (point: ThePoint | undefined) => TYPES[point?.role ?? 'all']

/** Those the address names, in the usual order; all of them where it names none that exist. */
export function chosenTypes(possible: SeriesType[], asked: string | null): SeriesType[] {
  const named = (asked ?? '').split(',')
  const known = possible.filter((type) => named.includes(type))
  return known.length > 0 ? known : possible
}

const ROLES: Record<SeriesType, Role> = {
  cons: 'consumption',
  prod: 'production',
  autocons: 'local',
  surplus: 'surplus',
  complement: 'grid',
}

const startOf = ({ startsAt }: One) => Math.floor(Date.parse(startsAt) / 60_000)
const endOf = (one: One) => startOf(one) + one.watts.length * one.step

/** Watts at an instant; undefined outside the series, null where it has a hole. */
const at = (one: One, minute: number) =>
  minute < startOf(one) || minute >= endOf(one) ? undefined : one.watts[Math.floor((minute - startOf(one)) / one.step)]

/** Together: who is not there yet adds nothing, and what is missing of one is missing of the whole. */
function sumAt(series: One[], minute: number): number | null {
  let [sum, there] = [0, 0]
  for (const one of series) {
    const watts = at(one, minute)
    if (watts === null) return null
    if (watts === undefined) continue
    sum += watts
    there += 1
  }
  return there > 0 ? sum : null
}

export type Drawn = { series: ExplorerSeries[]; startsAt: number; step: number }

/** The series on one time scale, one line per type: points of a type are put together. */
export function drawnOf(series: One[]): Drawn | null {
  const filled = series.filter(({ watts }) => watts.length > 0)
  if (filled.length === 0) return null
  const step = Math.min(...filled.map((one) => one.step))
  const startsAt = Math.min(...filled.map(startOf))
  const count = Math.ceil((Math.max(...filled.map(endOf)) - startsAt) / step)
  const types = [...new Set(filled.map(({ type }) => type))]
  return {
    startsAt,
    step,
    series: types.map((type) => {
      const own = filled.filter((one) => one.type === type)
      const values = Array.from({ length: count }, (_, index) => sumAt(own, startsAt + index * step))
      return { key: type, label: SERIES_TYPES[type], role: ROLES[type], values }
    }),
  }
}

export const missingIn = ({ watts }: One) => watts.filter((value) => value === null).length

export const isTooLong = (from: string, to: string) => daysBetween(from, to) > MOST_DAYS

/** Definitive quantities are those of whole months: the one in which the period begins. */
export function monthMeant(from: string, today: string) {
  const first = monthOf(from)
  const next = addMonths(first, 1)
  return { from: first, to: next, isOver: next <= today }
}
