import type { CurveImport } from '@voisol/contract/curves'
import {
  formatCount,
  formatDateTime,
  formatEnergy,
  formatMonth,
  formatNumber,
  formatPower,
} from '../../../lib/format.ts'

export type CurveImportQuestions = CurveImport['asked']
export type CurveImportQuestion = CurveImportQuestions['questions'][number]
export type QuestionCandidate = CurveImportQuestion['candidates'][number]
export type KnownPointFacts = CurveImportQuestions['known'][number]
export type QuestionSubject = CurveImportQuestion['about']
export type QuestionAnswers = Partial<Record<QuestionSubject, string>>

/** Whether the ways to read the file come to different energies: only then do they help to choose. */
export const haveDifferentEnergies = (candidates: QuestionCandidate[]) =>
  new Set(candidates.map(({ energyWh }) => energyWh)).size > 1

export const formatPowerLimit = ({ limitWatts, direction }: KnownPointFacts) =>
  limitWatts === null ? '' : `${formatNumber(limitWatts / 1000)}\u00a0${direction === 'production' ? 'kWc' : 'kVA'}`

function describeExcess({ points }: QuestionCandidate, known: KnownPointFacts[]) {
  const beyond = points.flatMap((point, at) => (point.tooHigh ? [known[at]] : [])).filter((one) => one !== undefined)
  const [first] = beyond
  if (!first) return ''
  if (beyond.length > 1) return `dépasse la puissance de ${formatCount(beyond.length, 'point')}`
  return `dépasse la puissance ${first.direction === 'production' ? 'crête' : 'souscrite'} (${formatPowerLimit(first)})`
}

/** What one way to read the file comes to, in a line. */
export function describeCandidate(
  one: QuestionCandidate,
  { candidates, known }: { candidates: QuestionCandidate[]; known: KnownPointFacts[] },
): string {
  const peak = Math.max(0, ...one.points.map(({ peakWatts }) => peakWatts))
  const parts = haveDifferentEnergies(candidates)
    ? [formatEnergy(one.energyWh), peak > 0 && `au plus ${formatPower(peak)}`, describeExcess(one, known)]
    : [one.readings > 0 && `du ${formatDateTime(one.from)} au ${formatDateTime(one.to)}`]
  const lost = one.lost > 0 && formatCount(one.lost, 'relevé sans place', 'relevés sans place')
  return [...parts, lost].filter(Boolean).join(' · ')
}

const PERIOD_LABELS: Record<KnownPointFacts['periods'][number]['kind'], string> = {
  stored: 'Déjà enregistré sur ces jours',
  'year-before': 'Mêmes jours, un an plus tôt',
  month: '',
  index: 'Index du distributeur sur ces jours',
}

/** « septembre 2026 : 343 kWh (30 jours) ». */
export const formatKnownPeriods = ({ periods }: KnownPointFacts) =>
  periods.map(({ kind, from, days, energyWh }) => ({
    label: kind === 'month' ? formatMonth(from).replace(/^./, (letter) => letter.toUpperCase()) : PERIOD_LABELS[kind],
    value: formatEnergy(energyWh),
    days: formatCount(days, 'jour'),
  }))
