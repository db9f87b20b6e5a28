import type { CurveImport } from '@voisol/contract/curves'
import { dateTime, energy, month, number, plural, power } from '../../../lib/format.ts'

export type Asked = CurveImport['asked']
export type Question = Asked['questions'][number]
export type Candidate = Question['candidates'][number]
export type Known = Asked['known'][number]
export type About = Question['about']
export type Answers = Partial<Record<About, string>>

/** Whether the ways to read the file come to different energies: only then do they help to choose. */
export const weighs = (candidates: Candidate[]) => new Set(candidates.map(({ energyWh }) => energyWh)).size > 1

export const limitText = ({ limitWatts, direction }: Known) =>
  limitWatts === null ? '' : `${number(limitWatts / 1000)}\u00a0${direction === 'production' ? 'kWc' : 'kVA'}`

function excessOf({ points }: Candidate, known: Known[]) {
  const beyond = points.flatMap((point, at) => (point.tooHigh ? [known[at]] : [])).filter((one) => one !== undefined)
  const [first] = beyond
  if (!first) return ''
  if (beyond.length > 1) return `dépasse la puissance de ${plural(beyond.length, 'point')}`
  return `dépasse la puissance ${first.direction === 'production' ? 'crête' : 'souscrite'} (${limitText(first)})`
}

/** What one way to read the file comes to, in a line. */
export function hintOf(one: Candidate, { candidates, known }: { candidates: Candidate[]; known: Known[] }): string {
  const peak = Math.max(0, ...one.points.map(({ peakWatts }) => peakWatts))
  const parts = weighs(candidates)
    ? [energy(one.energyWh), peak > 0 && `au plus ${power(peak)}`, excessOf(one, known)]
    : [one.readings > 0 && `du ${dateTime(one.from)} au ${dateTime(one.to)}`]
  const lost = one.lost > 0 && plural(one.lost, 'relevé sans place', 'relevés sans place')
  return [...parts, lost].filter(Boolean).join(' · ')
}

const PERIODS: Record<Known['periods'][number]['kind'], string> = {
  stored: 'Déjà enregistré sur ces jours',
  'year-before': 'Mêmes jours, un an plus tôt',
  month: '',
  index: 'Index du distributeur sur ces jours',
}

/** « septembre 2026 : 343 kWh (30 jours) ». */
export const periodsOf = ({ periods }: Known) =>
  periods.map(({ kind, from, days, energyWh }) => ({
    label: kind === 'month' ? month(from).replace(/^./, (letter) => letter.toUpperCase()) : PERIODS[kind],
    value: energy(energyWh),
    days: plural(days, 'jour'),
  }))
