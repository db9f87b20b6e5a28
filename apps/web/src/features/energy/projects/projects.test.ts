import type { ProjectDetail, Study } from '@voisol/contract/projects'
import { describe, expect, test } from 'vitest'
import { formatKwc, formatOrientation, formatYears } from './labels.ts'
import { findConsumptionProfile, parsePastedCandidates } from './paste-candidates.ts'
import { buildPerimeterPoints } from './perimeter-tab.tsx'
import { ProjectEditForm, toProjectChange, toProjectEditForm } from './project-form.ts'
import { describeConsequences, formatMove, getAllowedMoves, getNextStatus } from './project-moves.tsx'
import { buildStairArea, buildStairLine, describeMonths, roundUpForAxis } from './season-chart.tsx'
import { describeStep } from './steps-tab.tsx'
import { buildUpdateBody, withLine, withoutLine } from './use-project.tsx'

const buildCandidate = (prm: string, more = {}) => ({
  name: `Voisin ${prm}`,
  email: '',
  kind: 'person' as const,
  prm,
  profile: 'household' as const,
  yearlyKwh: 3000,
  pointId: null,
  latitude: 45.76,
  longitude: 4.85,
  ...more,
})
const roof = { building: 'École', peakWatts: 36_500, azimuth: 180, tilt: 30, latitude: 45.76, longitude: 4.85 }
const project: ProjectDetail = {
  id: crypto.randomUUID(),
  name: 'Les Cèdres',
  kind: 'coownership',
  description: '',
  status: 'agreement',
  address: '',
  postalCode: '69003',
  city: 'Lyon',
  latitude: 45.76,
  longitude: 4.85,
  perimeter: 'extended',
  zone: 'metropole',
  method: 'default',
  targetOn: null,
  localPrice: 1200,
  gridPrice: 2016,
  surplusPrice: 400,
  investmentPerKwc: 120_000,
  yearlyCosts: 0,
  peakWatts: 36_500,
  yearlyKwh: 6000,
  nextStep: null,
  operationId: null,
  studiedAt: null,
  selfConsumption: null,
  payback: null,
  createdAt: '2026-01-01T00:00:00Z',
  version: 3,
  roofs: [roof],
  candidates: [buildCandidate('19125759625988'), buildCandidate('', { latitude: null })],
  steps: [],
  notes: [],
  study: null,
  studyStale: false,
  findings: [],
  spread: null,
  transitions: [],
}

describe('moves', () => {
  test('go forward, back and out', () => {
    expect(getAllowedMoves(project)).toEqual(['running', 'study', 'abandoned'])
    expect(getNextStatus(project)).toBe('running')
    expect(getNextStatus({ status: 'running', operationId: project.id })).toBeUndefined()
    expect(getAllowedMoves({ status: 'running', operationId: null })).toEqual(['agreement'])
    expect(formatMove('agreement', 'study')).toBe('Revenir à l’étude')
    expect(formatMove('abandoned', 'prospect')).toBe('Reprendre le projet')
  })
})

describe('an update', () => {
  test('sends back what was read, with the change', () => {
    const body = buildUpdateBody(project, { city: 'Bron' })
    expect(body).toMatchObject({ city: 'Bron', name: 'Les Cèdres', roofs: [roof], version: 3 })
    expect(body).not.toHaveProperty('status')
    expect(body).not.toHaveProperty('findings')
  })
  test('lines are put in their place', () => {
    expect(withLine(['a', 'b'], 1, 'c')).toEqual(['a', 'c'])
    expect(withLine(['a', 'b'], null, 'c')).toEqual(['a', 'b', 'c'])
    expect(withoutLine(['a', 'b'], 0)).toEqual(['b'])
  })
  test('the form gives back what it was given', () => {
    const values = toProjectEditForm(project)
    expect(values).toMatchObject({ localPrice: '12', gridPrice: '20,16', investmentPerKwc: '1200' })
    expect(toProjectChange(ProjectEditForm.parse(values))).toMatchObject({
      localPrice: 1200,
      gridPrice: 2016,
      investmentPerKwc: 120_000,
      latitude: 45.76,
      targetOn: null,
    })
    expect(ProjectEditForm.parse({ ...values, yearlyCosts: '1\u202f234,5' }).yearlyCosts).toBe(123_450)
  })
})

describe('a pasted list', () => {
  test('is read as a spreadsheet gives it, heading or not', () => {
    const text =
      'Nom\tProfil\tkWh\nMme Achard\tLogement\t2 600\t19 125 759 625 988\nMairie;bureaux;15500;;mairie@exemple.fr;45,76;4,85'
    const [first, second] = parsePastedCandidates(text, [])
    expect(first?.candidate).toMatchObject({
      name: 'Mme Achard',
      yearlyKwh: 2600,
      prm: '19125759625988',
      kind: 'person',
    })
    expect(second?.candidate).toMatchObject({
      profile: 'office',
      kind: 'organisation',
      latitude: 45.76,
      longitude: 4.85,
    })
  })
  test('says which line is wrong and why', () => {
    const text = ['A;Fusée;1', 'B;;beaucoup', ';;1', 'C;;1;123', 'D;;1;;;ici;là', 'E;;1;19125759625988'].join('\n')
    const lines = parsePastedCandidates(text, [buildCandidate('19125759625988', { name: 'M. Benali' })])
    expect(lines.every((line) => line.candidate === null)).toBe(true)
    expect(lines.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6])
    expect(lines[0]?.message).toContain('Profil inconnu')
    expect(lines[2]?.message).toBe('Le nom manque.')
    expect(lines[3]?.message).toBe('Un PRM compte quatorze chiffres, par exemple 19 125 759 625 988.')
    expect(lines[5]?.message).toBe('Ce PRM est déjà celui de M. Benali.')
  })
  test('profiles are known by the beginning of their French name', () => {
    expect(findConsumptionProfile('')).toBe('household')
    expect(findConsumptionProfile('école')).toBe('school')
    expect(findConsumptionProfile('Logement avec pompe')).toBe('heat-pump')
    expect(findConsumptionProfile('heat-pump')).toBe('heat-pump')
    expect(findConsumptionProfile('fusée')).toBeUndefined()
  })
})

describe('words', () => {
  test('of figures', () => {
    expect(formatKwc(36_500)).toBe('36,5\u00a0kWc')
    expect(formatYears(1.5)).toBe('1,5\u00a0an')
    expect(formatYears(13.1)).toBe('13,1\u00a0ans')
    expect(formatOrientation(350)).toBe('nord, 350°')
    expect(formatOrientation(140)).toBe('sud-est, 140°')
  })
  test('of steps', () => {
    const step = { title: '', dueOn: '2026-03-10', doneOn: null }
    expect(describeStep(step, '2026-03-11')).toBe('En retard\u00a0: échéance le 10/03/2026')
    expect(describeStep(step, '2026-03-10')).toBe('Pour aujourd’hui')
    expect(describeStep(step, '2026-03-01')).toBe('Pour le 10/03/2026')
    expect(describeStep({ ...step, doneOn: '2026-03-02' })).toBe('Faite le 02/03/2026')
  })
  test('of what an operation would be', () => {
    const lines = describeConsequences(project)
    expect(lines[0]).toContain('1\u00a0candidat deviendra participant')
    expect(lines[1]).toContain('1\u00a0candidat sans PRM restera')
    expect(lines[2]).toContain('1\u00a0toiture (36,5\u00a0kWc)')
  })
  test('of the months', () => {
    const months = Array.from({ length: 12 }, (_, at): Study['months'][number] => ({
      month: at + 1,
      produced: 100,
      consumed: 100,
      allocated: at === 5 ? 80 : at === 11 ? 10 : 40,
    }))
    expect(describeMonths(months)).toBe(
      'L’énergie locale couvrirait 80\u00a0% en juin, le meilleur mois, et 10\u00a0% en décembre, le plus faible.',
    )
    expect(describeMonths(months.map((month) => ({ ...month, allocated: 0 })))).toContain('Aucune énergie locale')
  })
})

test('only points with a place are drawn', () => {
  expect(buildPerimeterPoints(project).map(({ role }) => role)).toEqual(['producer', 'consumer'])
})

test('a day of hours is drawn as stairs', () => {
  const box = { width: 20, height: 10 }
  expect(buildStairLine([0, 5], 10, box)).toBe('M0 10H10L10 5H20')
  expect(buildStairArea([0, 0], [10, 5], 10, box)).toBe('M0 0L10 0L10 5L20 5L20 10L10 10L10 10L0 10Z')
  expect([0, 9, 11, 39_000, 41_000].map(roundUpForAxis)).toEqual([1, 10, 15, 40_000, 50_000])
})
