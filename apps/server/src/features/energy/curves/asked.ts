import type { CurveImport, ImportAsked } from '@voisol/contract/curves'
import type { z } from 'zod'
import { instantOf } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import type { ParsedFile, Question } from '../../../formats/types.ts'
import { frenchNumber, NBSP } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import { isBeyond } from './connection.ts'
import { knownOf } from './known.ts'
import type { SeriesView } from './review.ts'

export type Asked = z.infer<typeof ImportAsked>
type Candidates = Asked['questions'][number]['candidates']

/** Points to compare with: one is enough to tell kWh from kW, more are for the eye. */
const SHOWN = 8

const LABELS: Record<string, string> = {
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
const labelOf = (value: string) => LABELS[value] ?? `${value}${NBSP}minutes`

/** The questions of a file with what each answer comes to, beside what is known of its points. */
export async function askOf(db: Db, companyId: number, file: ParsedFile, series: SeriesView[]): Promise<Asked> {
  if (file.questions.length === 0) return { questions: [], known: [] }
  const shown = series.flatMap((one, at) => (one.pointId ? [{ ...one, pointId: one.pointId, at }] : [])).slice(0, SHOWN)
  const known = await knownOf(db, companyId, shown)
  const pointsOf = (values: Question['candidates'][number]['series']) =>
    shown.map(({ at }, n) => {
      const { energyWh = 0, peakWatts = 0 } = values[at] ?? {}
      const limit = known[n]?.limitWatts
      return { energyWh, peakWatts, tooHigh: limit ? isBeyond(peakWatts, limit) : false }
    })
  const questions = file.questions.map(({ about, candidates }) => ({
    about,
    candidates: candidates.map(({ value, readings, lost, from, to, series: values }) => ({
      value,
      label: labelOf(value),
      readings,
      lost,
      from: instantOf(from),
      to: instantOf(to),
      energyWh: values.reduce((sum, one) => sum + one.energyWh, 0),
      points: pointsOf(values),
    })),
  }))
  return { questions, known }
}

const NAMES = {
  unit: 'l’unité',
  stamp: 'ce que marque l’horodate',
  zone: 'l’heure des lignes',
  step: 'le pas de temps',
}
const kwh = (wh: number) => `${frenchNumber(wh / 1000)}${NBSP}kWh`

/** Only energies that differ help to choose. */
const weighed = (candidates: Candidates) => new Set(candidates.map(({ energyWh }) => energyWh)).size > 1

const candidateText = (candidates: Candidates) =>
  candidates
    .map(({ value, label, energyWh, lost }) => {
      const facts = [weighed(candidates) && kwh(energyWh), lost > 0 && `${frenchNumber(lost)} relevés sans place`]
      return `${label} (${[value, ...facts.filter(Boolean)].join(', ')})`
    })
    .join(' ou ')

type Guessed = Pick<CurveImport, 'detected' | 'asked'>

/** Refuses to go on while something is a guess: the sentence names what is to be chosen, and among what. */
export function requireAnswers({ detected, asked }: Guessed): void {
  if (!detected) return
  const open = (['unit', 'stamp', 'zone', 'step'] as const).filter((about) => !detected[`${about}Certain`])
  if (open.length === 0) return
  const issues = open.map((about) => {
    const question = asked.questions.find((one) => one.about === about)
    const among = question ? `${NBSP}: ${candidateText(question.candidates)}` : ''
    return { path: about, message: `Choisissez ${NAMES[about]}${among}.` }
  })
  const message = `Ce fichier ne dit pas tout, et rien n’est enregistré d’après une supposition. ${issues.map((issue) => issue.message).join(' ')}`
  throw new AppError('invalid', { message, issues })
}
