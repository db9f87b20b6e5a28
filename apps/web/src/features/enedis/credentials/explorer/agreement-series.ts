import { useQueries } from '@tanstack/react-query'
import { type AgreementPoint, type AgreementSeries, enedis, type SeriesType } from '@voisol/contract/enedis'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import type { z } from 'zod'
import type { ExplorerSeries, SeriesRole } from '../../../../components/curve-explorer/explorer-model.ts'
import { SERIES_TYPE_LABELS } from '../../../../lib/distributor-labels.ts'
import { query } from '../../../../lib/queries.ts'

export type AgreementSeriesData = z.output<typeof AgreementSeries>
type AgreementPointLine = z.output<typeof AgreementPoint>
type AgreementDates = Pick<AgreementPointLine, 'startsOn' | 'endsOn'>
/** A point on one side of the agreement; it may have left and come back. */
export type AgreementMember = Omit<AgreementPointLine, keyof AgreementDates> & { id: string; spans: AgreementDates[] }

/** One entry per point and side, in the order in which the distributor names them. */
export function groupPointsBySide(lines: AgreementPointLine[]): AgreementMember[] {
  const points = new Map<string, AgreementMember>()
  for (const { startsOn, endsOn, ...line } of lines) {
    const id = `${line.role}-${line.prm}`
    const known = points.get(id)
    if (known) known.spans.push({ startsOn, endsOn })
    else points.set(id, { ...line, id, spans: [{ startsOn, endsOn }] })
  }
  return [...points.values()]
}
export const MAX_SERIES_DAYS = 31

/** What the distributor gives of each side, and of an agreement as a whole. */
const SERIES_TYPES_BY_ROLE: Record<'cons' | 'prod' | 'all', SeriesType[]> = {
  cons: ['cons', 'autocons', 'complement'],
  prod: ['prod', 'autocons', 'surplus'],
  all: ['cons', 'prod', 'autocons', 'surplus', 'complement'],
}
export const listSeriesTypes = (point: AgreementMember | undefined) => SERIES_TYPES_BY_ROLE[point?.role ?? 'all']

/** Those the address names, in the usual order; all of them where it names none that exist. */
export function parseChosenTypes(possible: SeriesType[], typesParam: string | null): SeriesType[] {
  const named = (typesParam ?? '').split(',')
  const known = possible.filter((type) => named.includes(type))
  return known.length > 0 ? known : possible
}

const CHART_ROLES: Record<SeriesType, SeriesRole> = {
  cons: 'consumption',
  prod: 'production',
  autocons: 'local',
  surplus: 'surplus',
  complement: 'grid',
}

const getStartMinute = ({ startsAt }: AgreementSeriesData) => Math.floor(Date.parse(startsAt) / 60_000)
const getEndMinute = (one: AgreementSeriesData) => getStartMinute(one) + one.watts.length * one.step

/** Watts at an instant; undefined outside the series, null where it has a hole. */
const getWattsAt = (one: AgreementSeriesData, minute: number) =>
  minute < getStartMinute(one) || minute >= getEndMinute(one)
    ? undefined
    : one.watts[Math.floor((minute - getStartMinute(one)) / one.step)]

/** Together: who is not there yet adds nothing, and what is missing of one is missing of the whole. */
function sumWattsAt(series: AgreementSeriesData[], minute: number): number | null {
  let [sum, there] = [0, 0]
  for (const one of series) {
    const watts = getWattsAt(one, minute)
    if (watts === null) return null
    if (watts === undefined) continue
    sum += watts
    there += 1
  }
  return there > 0 ? sum : null
}

type AgreementCurveData = { series: ExplorerSeries[]; startsAt: number; step: number }

/** The series on one time scale, one line per type: points of a type are put together. */
export function buildAgreementCurve(series: AgreementSeriesData[]): AgreementCurveData | null {
  const filled = series.filter(({ watts }) => watts.length > 0)
  if (filled.length === 0) return null
  const step = Math.min(...filled.map((one) => one.step))
  const startsAt = Math.min(...filled.map(getStartMinute))
  const count = Math.ceil((Math.max(...filled.map(getEndMinute)) - startsAt) / step)
  const types = [...new Set(filled.map(({ type }) => type))]
  return {
    startsAt,
    step,
    series: types.map((type) => {
      const own = filled.filter((one) => one.type === type)
      const values = Array.from({ length: count }, (_, index) => sumWattsAt(own, startsAt + index * step))
      return { key: type, label: SERIES_TYPE_LABELS[type], role: CHART_ROLES[type], values }
    }),
  }
}

export const countMissingValues = ({ watts }: AgreementSeriesData) => watts.filter((value) => value === null).length

export const isTooLong = (from: string, to: string) => daysBetween(from, to) > MAX_SERIES_DAYS

/** Definitive quantities are those of whole months: the one in which the period begins. */
export function getQuantityMonth(from: string, today: string) {
  const first = monthOf(from)
  const next = addMonths(first, 1)
  return { from: first, to: next, isOver: next <= today }
}

export type SeriesRequest = {
  acc: string
  prm: string | undefined
  from: string
  to: string
  through: { credentialId?: string }
}

/** One call per type; what came is drawn while the rest is on its way. */
export function useAgreementSeries(
  { acc, prm, from, to, through }: SeriesRequest,
  types: SeriesType[],
  enabled: boolean,
) {
  const results = useQueries({
    queries: types.map((type) => ({
      ...query(enedis.series, { params: { acc }, query: { ...through, from, to, type, ...(prm && { prm }) } }),
      enabled,
    })),
    combine: (all) => ({
      answers: all.flatMap(({ data }, at) => (data ? [{ type: types[at] ?? 'cons', ...data }] : [])),
      waiting: all.some(({ isLoading }) => isLoading),
      error: all.find((one) => one.error)?.error ?? null,
      retry: () => Promise.all(all.filter((one) => one.error).map((one) => one.refetch())),
    }),
  })
  const curveData = useMemo(
    () => buildAgreementCurve(results.answers.flatMap(({ series }) => series)),
    [results.answers],
  )
  return { ...results, drawn: curveData }
}
export type SeriesAnswers = ReturnType<typeof useAgreementSeries>['answers']
