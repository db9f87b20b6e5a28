import type { CurveImport, ImportQuestionSet, KnownPeriod, KnownPoint } from '@voisol/contract/curves'
import { addDays } from '@voisol/energy/calendar'
import { getMonthLength } from '@voisol/energy/civil'
import type { CurveFileQuestion, ParsedFile } from '@voisol/file-formats/curve-file-types'
import { formatFrenchNumber, NBSP } from '@voisol/file-formats/french'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { formatMinuteAsIso } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { getConnectionLimit, isBeyondLimit, type SeriesView } from './review-curve-file.ts'

type ImportQuestions = z.infer<typeof ImportQuestionSet>
type AnswerCandidates = ImportQuestions['questions'][number]['candidates']

/** Points to compare with: one is enough to tell kWh from kW, more help the eye. */
const MAX_COMPARED_POINTS = 8

const ANSWER_LABELS: Record<string, string> = {
  W: 'en W',
  kW: 'en kW',
  Wh: 'en Wh',
  kWh: 'en kWh',
  start: 'début du pas',
  end: 'fin du pas',
  'Europe/Paris': 'heure de Paris',
  UTC: 'temps universel',
  '+01:00': 'heure d’hiver toute l’année',
  found: 'selon les écarts entre les lignes',
}
const getAnswerLabel = (value: string) => ANSWER_LABELS[value] ?? `${value}${NBSP}minutes`

/** The open questions of a file with the result of each answer, beside known data of its points. */
export async function buildImportQuestions(
  db: Db,
  companyId: number,
  file: ParsedFile,
  series: SeriesView[],
): Promise<ImportQuestions> {
  if (file.questions.length === 0) return { questions: [], known: [] }
  const comparedSeries = series
    .flatMap((one, at) => (one.pointId ? [{ ...one, pointId: one.pointId, at }] : []))
    .slice(0, MAX_COMPARED_POINTS)
  const knownPoints = await loadKnownPointData(db, companyId, comparedSeries)
  const toComparedPoints = (values: CurveFileQuestion['candidates'][number]['series']) =>
    comparedSeries.map(({ at }, n) => {
      const { energyWh = 0, peakWatts = 0 } = values[at] ?? {}
      const limit = knownPoints[n]?.limitWatts
      return { energyWh, peakWatts, tooHigh: limit ? isBeyondLimit(peakWatts, limit) : false }
    })
  const questions = file.questions.map(({ about, candidates }) => ({
    about,
    candidates: candidates.map(({ value, readings, lost, from, to, series: values }) => ({
      value,
      label: getAnswerLabel(value),
      readings,
      lost,
      from: formatMinuteAsIso(from),
      to: formatMinuteAsIso(to),
      energyWh: values.reduce((sum, one) => sum + one.energyWh, 0),
      points: toComparedPoints(values),
    })),
  }))
  return { questions, known: knownPoints }
}

const QUESTION_LABELS = {
  unit: 'l’unité',
  stamp: 'ce que marque l’horodate',
  zone: 'l’heure des lignes',
  step: 'le pas de temps',
}
const formatKwh = (wh: number) => `${formatFrenchNumber(wh / 1000)}${NBSP}kWh`

/** Energies only help to choose when they differ. */
const haveDifferentEnergies = (candidates: AnswerCandidates) =>
  new Set(candidates.map(({ energyWh }) => energyWh)).size > 1

const describeCandidates = (candidates: AnswerCandidates) =>
  candidates
    .map(({ value, label, energyWh, lost }) => {
      const facts = [
        haveDifferentEnergies(candidates) && formatKwh(energyWh),
        lost > 0 && `${formatFrenchNumber(lost)} relevés sans place`,
      ]
      return `${label} (${[value, ...facts.filter(Boolean)].join(', ')})`
    })
    .join(' ou ')

type GuessedImport = Pick<CurveImport, 'detected' | 'asked'>

/** Refuses to continue while something is guessed: the message names the choice and its options. */
export function requireAnswers({ detected, asked }: GuessedImport): void {
  if (!detected) return
  const openTopics = (['unit', 'stamp', 'zone', 'step'] as const).filter((about) => !detected[`${about}Certain`])
  if (openTopics.length === 0) return
  const issues = openTopics.map((about) => {
    const question = asked.questions.find((one) => one.about === about)
    const candidatesText = question ? `${NBSP}: ${describeCandidates(question.candidates)}` : ''
    return { path: about, message: `Choisissez ${QUESTION_LABELS[about]}${candidatesText}.` }
  })
  const message = `Ce fichier ne dit pas tout, et rien n’est enregistré d’après une supposition. ${issues.map((issue) => issue.message).join(' ')}`
  throw new AppError('invalid', { message, issues })
}

type KnownPeriodView = z.infer<typeof KnownPeriod>
type KnownPointView = z.infer<typeof KnownPoint>
type SeriesOfPoint = SeriesView & { pointId: string }

/**
 * Known data of these points besides the file: values stored then, a year and a month before, and their meter index.
 */
async function loadKnownPointData(db: Db, companyId: number, series: SeriesOfPoint[]): Promise<KnownPointView[]> {
  const ids = series.map(({ pointId }) => pointId)
  const rows = ids.length
    ? await db
        .select()
        .from(points)
        .where(and(eq(points.companyId, companyId), inArray(points.id, ids)))
    : []
  const known: KnownPointView[] = []
  for (const one of series) {
    const point = rows.find(({ id }) => id === one.pointId)
    if (!point) continue
    known.push({
      prm: one.prm,
      label: one.pointLabel,
      direction: point.direction === 'production' ? 'production' : 'consumption',
      ...(point.storage && { storage: true }),
      limitWatts: getConnectionLimit(point),
      periods: await loadKnownPeriods(db, companyId, one),
    })
  }
  return known
}

function getDayOneYearBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = Math.min(date, getMonthLength(year - 1, month))
  return `${year - 1}-${day.slice(5, 7)}-${String(last).padStart(2, '0')}`
}

async function loadKnownPeriods(
  db: Db,
  companyId: number,
  { pointId, from, to }: SeriesOfPoint,
): Promise<KnownPeriodView[]> {
  const lastYearRange = { from: getDayOneYearBefore(from), to: addDays(getDayOneYearBefore(addDays(to, -1)), 1) }
  const { rows } = await db.execute<{
    kind: KnownPeriodView['kind']
    from: string
    to: string
    days: number
    wh: number
  }>(sql`
    select 'stored' as kind, ${from}::text as "from", ${to}::text as "to", count(*)::int as days, sum(energy)::float8 / 60 as wh
      from curve_days where company_id = ${companyId} and point_id = ${pointId} and superseded_at is null
       and day >= ${from}::date and day < ${to}::date
    union all
    select 'year-before', ${lastYearRange.from}, ${lastYearRange.to}, count(*)::int, sum(energy)::float8 / 60
      from curve_days where company_id = ${companyId} and point_id = ${pointId} and superseded_at is null
       and day >= ${lastYearRange.from}::date and day < ${lastYearRange.to}::date
    union all
    (select 'month', month::text, (month + interval '1 month')::date::text, days::int, energy::float8 / 60
      from curve_months where company_id = ${companyId} and point_id = ${pointId}
       and month < date_trunc('month', ${from}::date) order by month desc limit 1)
    union all
    select 'index', ${from}, ${to}, count(*)::int, sum(wh)::float8
      from distributor_energies where company_id = ${companyId} and point_id = ${pointId}
       and day >= ${from}::date and day < ${to}::date
    union all
    (select 'index', ${from}, ${to}, ${to}::date - ${from}::date, sum(b.wh - a.wh)::float8
      from distributor_indexes a join distributor_indexes b on b.company_id = a.company_id and b.point_id = a.point_id
       and b.calendar = a.calendar and b.name = a.name and b.source = a.source
     where a.company_id = ${companyId} and a.point_id = ${pointId} and a.day = ${from}::date and b.day = ${to}::date
     group by a.source, a.calendar order by count(*) desc limit 1)`)
  return rows
    .filter(({ days }) => days > 0)
    .map(({ kind, from: first, to: end, days, wh }) => ({ kind, from: first, to: end, days, energyWh: Math.round(wh) }))
}
