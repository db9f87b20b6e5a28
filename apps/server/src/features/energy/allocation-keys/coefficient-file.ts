import { addDays, dayStart, daysBetween, isDay } from '@voisol/energy/calendar'
import { type LineProblem, parseCoefficientFile } from '@voisol/energy/coefficients'
import { STEPS, type Step } from '@voisol/energy/series'
import { MAX_READINGS } from '@voisol/file-formats/raw-curves'

const MAX_FILE_DAYS = 400
const MAX_LISTED_PROBLEMS = 500

export type CoefficientRows = {
  from: string
  to: string
  step: Step
  /** Lines with coefficients. */
  lines: number
  curves: Map<string, Int32Array>
}
export type CoefficientFileResult = { rows: CoefficientRows | null; problems: LineProblem[] }

type LineTime = { day: string; minute: number }
const ISO_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)/
const FRENCH_TIME = /^(\d\d)\/(\d\d)\/(\d{4})[T ](\d\d):(\d\d)/

function parseLineTime(row: string): LineTime | undefined {
  const iso = ISO_TIME.exec(row)
  if (iso) return { day: iso[1] ?? '', minute: Number(iso[2]) * 60 + Number(iso[3]) }
  const french = FRENCH_TIME.exec(row)
  if (!french) return undefined
  const [, date, month, year, hour, minute] = french
  return { day: `${year}-${month}-${date}`, minute: Number(hour) * 60 + Number(minute) }
}

const refuseFile = (message: string, line = 1): CoefficientFileResult => ({ rows: null, problems: [{ line, message }] })

/** A day's lines begin at midnight when times mark the start of the step, one step later when they mark its end. */
function detectTimeFrame(times: LineTime[], defaultStep: Step) {
  const [first, second] = times
  const gap = first && second && second.day === first.day ? second.minute - first.minute : defaultStep
  const step = STEPS.find((one) => one === gap)
  const stamp: 'start' | 'end' = first?.minute === step ? 'end' : 'start'
  const days = times.map(({ day }) => day).sort()
  const last = times.at(-1)
  const ends = days.at(-1) ?? ''
  const closed = stamp === 'end' && last?.minute === 0 && last.day === ends
  return { step, stamp, from: days[0] ?? '', to: closed ? ends : isDay(ends) ? addDays(ends, 1) : '' }
}

/** Counts the columns before allocating anything for them. */
function countColumns(text: string): number {
  const end = text.indexOf('\n')
  let columns = 0
  for (let at = text.indexOf(';'); at >= 0 && (end < 0 || at < end); at = text.indexOf(';', at + 1)) columns++
  return columns
}

/**
 * Parses `Horodate;prm;prm…`; its days, its step, and whether times mark the start or end are detected from the lines.
 */
export function readCoefficientFile(bytes: Uint8Array, defaultStep: Step): CoefficientFileResult {
  const text = new TextDecoder().decode(bytes)
  if (text.includes('\0')) return refuseFile('Ce fichier n’est pas un texte : un fichier CSV est attendu.')
  const times = text
    .split('\n')
    .slice(1)
    .flatMap((row) => parseLineTime(row.trim()) ?? [])
  if (!times.length)
    return refuseFile('Aucune ligne ne commence par une date et une heure : « Horodate;PRM;PRM… » est attendu.')
  const { step, stamp, from, to } = detectTimeFrame(times, defaultStep)
  if (!isDay(from) || !isDay(to))
    return refuseFile(
      'La première ou la dernière date du fichier n’existe pas au calendrier\u00a0: vérifiez le jour et le mois.',
      2,
    )
  if (!step || step < defaultStep)
    return refuseFile(`Le pas des lignes doit être d’au moins ${defaultStep} minutes, celui de l’opération.`, 2)
  if (daysBetween(from, to) > MAX_FILE_DAYS)
    return refuseFile(`Le fichier couvre plus de ${MAX_FILE_DAYS} jours : partagez-le.`, 2)
  const steps = (dayStart(to) - dayStart(from)) / step
  if (countColumns(text) * steps > MAX_READINGS)
    return refuseFile(
      'Ce fichier compte trop de colonnes pour sa période\u00a0: partagez-le par groupe de consommateurs.',
    )
  const { coefficients, problems } = parseCoefficientFile(text, { startsAt: dayStart(from), step, steps, stamp })
  const rows = { from, to, step, lines: times.length, curves: new Map(Object.entries(coefficients)) }
  return { rows, problems: problems.slice(0, MAX_LISTED_PROBLEMS) }
}
