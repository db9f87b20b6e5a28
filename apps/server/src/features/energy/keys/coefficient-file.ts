import { addDays, dayStart, daysBetween, isDay } from '@voisol/energy/calendar'
import { type LineProblem, readCoefficients } from '@voisol/energy/coefficients'
import { STEPS, type Step } from '@voisol/energy/series'
import { MAX_READINGS } from '../../../formats/limits.ts'

const MAX_DAYS = 400
const MAX_PROBLEMS = 500

export type CoefficientRows = {
  from: string
  to: string
  step: Step
  /** Lines that carry coefficients. */
  lines: number
  curves: Map<string, Int32Array>
}
export type FileRead = { rows: CoefficientRows | null; problems: LineProblem[] }

type Time = { day: string; minute: number }
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)/
const FRENCH = /^(\d\d)\/(\d\d)\/(\d{4})[T ](\d\d):(\d\d)/

function timeOf(row: string): Time | undefined {
  const iso = ISO.exec(row)
  if (iso) return { day: iso[1] ?? '', minute: Number(iso[2]) * 60 + Number(iso[3]) }
  const french = FRENCH.exec(row)
  if (!french) return undefined
  const [, date, month, year, hour, minute] = french
  return { day: `${year}-${month}-${date}`, minute: Number(hour) * 60 + Number(minute) }
}

const refuse = (message: string, line = 1): FileRead => ({ rows: null, problems: [{ line, message }] })

/** Lines of a day begin at midnight when their time is the start of the step, one step later when it is its end. */
function frameOf(times: Time[], usual: Step) {
  const [first, second] = times
  const gap = first && second && second.day === first.day ? second.minute - first.minute : usual
  const step = STEPS.find((one) => one === gap)
  const stamp: 'start' | 'end' = first?.minute === step ? 'end' : 'start'
  const days = times.map(({ day }) => day).sort()
  const last = times.at(-1)
  const ends = days.at(-1) ?? ''
  const closed = stamp === 'end' && last?.minute === 0 && last.day === ends
  return { step, stamp, from: days[0] ?? '', to: closed ? ends : isDay(ends) ? addDays(ends, 1) : '' }
}

/** Counted before anything is made for each of them. */
function columnsOf(text: string): number {
  const end = text.indexOf('\n')
  let columns = 0
  for (let at = text.indexOf(';'); at >= 0 && (end < 0 || at < end); at = text.indexOf(';', at + 1)) columns++
  return columns
}

/** Reads `Horodate;prm;prm…`: its days, its step and where its times stand are told by the lines themselves. */
export function readFile(bytes: Uint8Array, usual: Step): FileRead {
  const text = new TextDecoder().decode(bytes)
  if (text.includes('\0')) return refuse('Ce fichier n’est pas un texte : un fichier CSV est attendu.')
  const times = text
    .split('\n')
    .slice(1)
    .flatMap((row) => timeOf(row.trim()) ?? [])
  if (!times.length)
    return refuse('Aucune ligne ne commence par une date et une heure : « Horodate;PRM;PRM… » est attendu.')
  const { step, stamp, from, to } = frameOf(times, usual)
  if (!isDay(from) || !isDay(to))
    return refuse(
      'La première ou la dernière date du fichier n’existe pas au calendrier\u00a0: vérifiez le jour et le mois.',
      2,
    )
  if (!step || step < usual)
    return refuse(`Le pas des lignes doit être d’au moins ${usual} minutes, celui de l’opération.`, 2)
  if (daysBetween(from, to) > MAX_DAYS) return refuse(`Le fichier couvre plus de ${MAX_DAYS} jours : partagez-le.`, 2)
  const steps = (dayStart(to) - dayStart(from)) / step
  if (columnsOf(text) * steps > MAX_READINGS)
    return refuse('Ce fichier compte trop de colonnes pour sa période\u00a0: partagez-le par groupe de consommateurs.')
  const { coefficients, problems } = readCoefficients(text, { startsAt: dayStart(from), step, steps, stamp })
  const rows = { from, to, step, lines: times.length, curves: new Map(Object.entries(coefficients)) }
  return { rows, problems: problems.slice(0, MAX_PROBLEMS) }
}
