import type { CurveImport, ImportQuestionSet } from '@voisol/contract/curves'
import type { z } from 'zod'
import { formatMinuteAsIso } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import type { CurveFileQuestion, ParsedFile } from '../../../formats/types.ts'
import { formatFrenchNumber, NBSP } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import { isBeyondLimit } from './connection.ts'
import { loadKnownPointData } from './known.ts'
import type { SeriesView } from './review.ts'

export type ImportQuestions = z.infer<typeof ImportQuestionSet>
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
