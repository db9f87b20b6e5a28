import { OperationDraft } from '@voisol/contract/operations'
import { expect, test } from 'vitest'
import { formatPosition, parsePosition } from '../../../../lib/field-schemas.ts'
import { checkWizardStep, findFirstProblem, getWizardField, getWizardStep, toWizardProblems } from './check-draft.ts'
import {
  computeEqualShares,
  createConsumerRow,
  createOperationDraft,
  createPlantRow,
  type OperationWizardDraft,
  parseShare,
  sumShares,
} from './draft.ts'
import { buildOperationBody } from './draft-body.ts'
import { checkDraftPerimeter, describeConsumers } from './perimeter.ts'

const plant = {
  ...createPlantRow(),
  name: 'École',
  prm: '30 001 234 567 890',
  kwc: '36,5',
  position: '45.7601, 4.8512',
}
const buildConsumer = (at: number) => ({
  ...createConsumerRow(),
  name: `Foyer ${at}`,
  prm: String(19_125_759_600_000 + at),
})
const buildDraft = (change: Partial<OperationWizardDraft> = {}): OperationWizardDraft => ({
  ...createOperationDraft(),
  name: 'Résidence des Tilleuls',
  producers: [plant],
  consumers: [createConsumerRow(), buildConsumer(1), buildConsumer(2)],
  ...change,
})

test('a place is read as maps give it, and nothing else is taken for one', () => {
  expect(parsePosition('45.7601, 4.8512')).toEqual({ latitude: 45.7601, longitude: 4.8512 })
  expect(parsePosition('45,7601 ; 4,8512')).toEqual({ latitude: 45.7601, longitude: 4.8512 })
  expect(parsePosition('45,7601, -4,8512')?.longitude).toBe(-4.8512)
  for (const text of ['45,76', '45 4', 'Lyon', '95.1, 4.2']) expect(parsePosition(text)).toBeNull()
  expect(parsePosition(formatPosition({ latitude: 45.7601, longitude: 4 }))).toEqual({
    latitude: 45.7601,
    longitude: 4,
  })
})

test('only the name is needed', () => {
  expect(findFirstProblem(createOperationDraft())).toMatchObject({ step: 0, problems: [{ path: 'name' }] })
  expect(findFirstProblem({ ...createOperationDraft(), name: 'Halle' })).toBeNull()
  expect(
    OperationDraft.safeParse(buildOperationBody({ ...createOperationDraft(), name: 'Halle' }, 'draft').body).success,
  ).toBe(true)
})

test('what is typed becomes what the contract takes; blank rows say nothing', () => {
  const { body, sources } = buildOperationBody(buildDraft({ price: '12,5', accNumber: 'acc00000537' }), 'pending')
  const parsed = OperationDraft.parse(body)
  expect(parsed).toMatchObject({ unitPrice: 1250, accNumber: 'ACC00000537', startsOn: null, capacity: 0 })
  expect(parsed.participants).toMatchObject([
    { name: 'École', prm: '30001234567890', direction: 'production', peakWatts: 36_500, latitude: 45.7601 },
    { name: 'Foyer 1', direction: 'consumption' },
    { name: 'Foyer 2' },
  ])
  expect(sources.at(-1)).toEqual({ list: 'consumers', index: 2 })
})

test('a wrong PRM, one typed twice and too much power are told at their place', () => {
  const wrong = buildDraft({ producers: [{ ...plant, prm: '123' }], consumers: [buildConsumer(1), buildConsumer(1)] })
  expect(checkWizardStep(wrong, 3)).toMatchObject([{ path: 'producers.0.prm' }])
  expect(checkWizardStep(wrong, 4)).toEqual([
    { path: 'consumers.1.prm', message: 'Ce PRM est déjà saisi à la ligne 1.' },
  ])
  expect(checkWizardStep(buildDraft({ capacity: '5000' }), 2)[0]?.message).toMatch(/inférieure à 5\sMW/)
  expect(checkWizardStep(buildDraft({ producers: [{ ...plant, kwc: '5 000' }] }), 3)).toMatchObject([
    { path: 'root.power' },
  ])
  expect(checkWizardStep(buildDraft({ capacity: '4999' }), 2)).toEqual([])
})

test('points too far apart are refused, points without a place only mentioned', () => {
  const far = { ...buildConsumer(1), position: '45.80, 4.8512' }
  expect(checkWizardStep(buildDraft({ consumers: [far] }), 4)).toMatchObject([{ path: 'root.distance' }])
  expect(checkWizardStep(buildDraft({ consumers: [far], perimeter: 'periurban' }), 4)).toEqual([])
  expect(checkDraftPerimeter(buildDraft()).map(({ code }) => code)).toEqual(['location'])
})

test('equal shares make exactly one whole', () => {
  for (const count of [1, 3, 7, 24, 999]) {
    const consumers = computeEqualShares(count).map((share, at) => ({ ...buildConsumer(at), share }))
    expect(sumShares(consumers)).toBe(1_000_000)
  }
  expect(parseShare('4,5 %')).toBe(45_000)
  expect(parseShare('101')).toBeNull()
})

test('fixed shares need a sum of at most one whole', () => {
  const with60 = [1, 2].map((at) => ({ ...buildConsumer(at), share: '60' }))
  expect(checkWizardStep(buildDraft({ method: 'static', consumers: with60 }), 5)).toMatchObject([{ path: 'root.sum' }])
  expect(checkWizardStep(buildDraft({ method: 'static', consumers: [] }), 5)).toMatchObject([{ path: 'root.sum' }])
  const half = buildDraft({ method: 'static', consumers: [{ ...buildConsumer(1), share: '50' }] })
  expect(checkWizardStep(half, 5)).toEqual([])
  expect(buildOperationBody(half, 'pending').body.key).toEqual({
    method: 'static',
    shares: [{ prm: '19125759600001', share: 500_000 }],
  })
})

test('what the server says leads back to the step and the field', () => {
  const sent = buildOperationBody(buildDraft(), 'pending')
  expect(getWizardField('participants.2.prm', sent)).toBe('consumers.2.prm')
  expect(getWizardField('participants.0.peakWatts', sent)).toBe('producers.0.kwc')
  expect(getWizardField('participants.1.startsOn', sent)).toBe('consumers.1.name')
  expect(getWizardField('participants.0.segment', sent)).toBe('producers.0.segment')
  expect(getWizardField('key.shares.1.prm', sent)).toBe('consumers.2.share')
  expect(getWizardField('unitPrice', sent)).toBe('price')
  expect(['accNumber', 'consumers.2.prm', 'consumers.2.share', 'price', 'root'].map(getWizardStep)).toEqual([
    0, 4, 5, 6, 7,
  ])
})

test('what no field shows is named where it stands', () => {
  const sent = buildOperationBody(buildDraft(), 'pending')
  expect(toWizardProblems([{ path: 'participants.1.startsOn', message: 'L’entrée précède.' }], sent)).toEqual([
    { path: 'consumers.1.name', message: 'Date d’entrée\u00a0: L’entrée précède.' },
  ])
  expect(toWizardProblems([{ path: '', message: 'Non.' }], sent)).toEqual([{ path: 'root.server', message: 'Non.' }])
})

test('the contract’s own rules are those of the preview, at their step', () => {
  const long = buildDraft({ surplusBuyer: 'x'.repeat(201), pmoName: 'y'.repeat(201) })
  expect(checkWizardStep(long, 6)).toMatchObject([{ path: 'surplusBuyer' }])
  expect(findFirstProblem(long)).toMatchObject({ step: 1, problems: [{ path: 'pmoName' }] })
  const phone = buildDraft({ consumers: [{ ...buildConsumer(1), rest: { phone: 'x'.repeat(201) } }] })
  expect(checkWizardStep(phone, 4)).toEqual([
    { path: 'consumers.0.name', message: 'Téléphone\u00a0: Au plus 200 caractères.' },
  ])
})

test('the segment follows from the role, and another one is sent where it is known', () => {
  const known = buildDraft({ producers: [{ ...plant, segment: 'P3' }], consumers: [buildConsumer(1)] })
  expect(buildOperationBody(known, 'draft').body.participants).toMatchObject([{ segment: 'P3' }, { segment: 'C5' }])
  const kept = buildDraft({ consumers: [{ ...buildConsumer(1), segment: '' }] })
  expect(buildOperationBody(kept, 'draft').body.participants?.[1]).toMatchObject({ segment: 'C5' })
})

test('a row can be a battery: it is counted apart, and sent as one', () => {
  const rows = [buildConsumer(1), { ...buildConsumer(2), meter: 'battery' as const }, createConsumerRow()]
  expect(describeConsumers(rows)).toBe('1\u00a0consommateur et 1\u00a0batterie')
  expect(describeConsumers([buildConsumer(1)])).toBe('1\u00a0consommateur')
  const { body } = buildOperationBody(buildDraft({ producers: [], consumers: rows }), 'pending')
  expect(body.participants?.map(({ storage, direction }) => [direction, storage])).toEqual([
    ['consumption', undefined],
    ['consumption', true],
  ])
  expect(OperationDraft.safeParse(body).success).toBe(true)
})
