import { dayStart } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { EnedisError } from './enedis-faults.ts'
import { parseDaily, parseQuantities, parseServices } from './parse-agreements.ts'
import { parseCurveV2, parseCurveV5 } from './parse-curve.ts'

const PRM = '16401220101758'
const v2 = (points: object[], more: object = {}) => ({
  idPrm: PRM,
  etapeMetier: 'BRUT',
  ...more,
  grandeur: [{ grandeurMetier: 'CONS', grandeurPhysique: 'PA', unite: 'W', points }],
})
const v5 = (interval_reading: object[], quality = 'BRUT') => ({
  meter_reading: { usage_point_id: PRM, quality, reading_type: { unit: 'W' }, interval_reading },
})
const wh = (interval_reading: object[]) => ({
  meter_reading: { usage_point_id: PRM, reading_type: { unit: 'Wh' }, interval_reading },
})
const first = dayStart('2026-03-12') + 30
const buildCurveRequest = () => ({
  prm: PRM,
  direction: 'consumption' as const,
  from: '2026-03-12',
  to: '2026-03-14',
})

test('both formats give the same curve', () => {
  const expected = {
    prm: PRM,
    direction: 'consumption',
    points: [{ end: first, minutes: 30, watts: 540, quality: 'raw' }],
  }
  expect(
    parseCurveV2(v2([{ v: '540', d: '2026-03-12 00:30:00', p: 'PT30M', n: 'B', iv: '0' }]), buildCurveRequest()),
  ).toEqual(expected)
  const old = { value: '540', date: '2026-03-12 00:30:00', interval_length: 'PT30M', measure_type: 'B' }
  expect(parseCurveV5(v5([old]), buildCurveRequest())).toEqual(expected)
})

test('an empty value is a gap; of a repeated instant the last value counts', () => {
  const { points } = parseCurveV2(
    v2([
      { v: '2', d: '2026-03-12 01:00:00', p: 'PT30M' },
      { v: '', d: '2026-03-12 01:30:00', p: 'PT30M' },
      { v: '1', d: '2026-03-12 00:30:00', p: 'PT30M' },
      { v: '3', d: '2026-03-12 01:00:00', p: 'PT30M' },
    ]),
    buildCurveRequest(),
  )
  expect(points.map(({ end, watts }) => [end - first, watts])).toEqual([
    [0, 1],
    [30, 3],
  ])
})

test('corrected values are marked as such', () => {
  const point = { v: '1', d: '2026-03-12 00:30:00', p: 'PT30M' }
  expect(parseCurveV2(v2([point], { etapeMetier: 'BEST' }), buildCurveRequest()).points[0]?.quality).toBe('corrected')
  const old = { value: '1', date: '2026-03-12 00:30:00', interval_length: 'PT30M' }
  expect(parseCurveV2(v2([{ ...point, iv: '1' }]), buildCurveRequest()).points[0]?.quality).toBe('doubtful')
  expect(parseCurveV5(v5([old], 'CORRIGE'), buildCurveRequest()).points[0]?.quality).toBe('corrected')
})

test('three phases are summed', () => {
  const date = '2026-03-12 00:30:00'
  const reading = { value: ['100', '200', '300'], date: [date, date, date], interval_length: 'PT30M' }
  expect(parseCurveV5(v5([reading]), buildCurveRequest()).points[0]?.watts).toBe(600)
})

test.each([
  null,
  {},
  [],
  'texte',
  { idPrm: PRM },
  v2([{ v: '-5', d: '2026-03-12 00:30:00', p: 'PT30M' }]),
  v2([{ v: '1e99', d: '2026-03-12 00:30:00', p: 'PT30M' }]),
  v2([{ v: '5', d: 'demain', p: 'PT30M' }]),
  v2([{ v: '5', d: '2026-03-12 00:30:00', p: 'PT7M' }]),
])('%j is refused as an answer', (body) => {
  expect(() => parseCurveV2(body, buildCurveRequest())).toThrow(EnedisError)
  try {
    parseCurveV2(body, buildCurveRequest())
  } catch (error) {
    expect((error as EnedisError).fault).toMatchObject({ code: 'unreadable', nature: 'answer' })
  }
})

test('reads daily energies, quantities and services', () => {
  const second = {
    idPrm: PRM,
    grandeur: [
      {
        unite: 'Wh',
        points: [
          { v: '12000', d: '2026-03-12' },
          { v: null, d: '2026-03-13' },
        ],
      },
    ],
  }
  expect(parseDaily(second, buildCurveRequest())).toEqual([{ day: '2026-03-12', wh: 12_000 }])
  expect(parseDaily(wh([{ value: '7', date: '2026-03-12' }]), buildCurveRequest())).toEqual([
    { day: '2026-03-12', wh: 7 },
  ])
  const quantities = ['cons', 'autocons', 'complement'].map((type, at) => ({
    type,
    calendar_type: 'DISTRIB',
    quantities: [{ name: 'HPB', value: [95, 31, 64][at] }],
  }))
  const month = { startDate: '2026-03-01', endDate: '2026-04-01' }
  const march = { prm: PRM, role: 'cons', from: '2026-03-01', to: '2026-04-01' } as const
  expect(parseQuantities({ cons_id: PRM, unit: 'kWh', ...month, quantities }, march)).toContainEqual({
    type: 'autocons',
    calendar: 'DISTRIB',
    name: 'HPB',
    wh: 31_000,
  })
  const service = { etatCode: 'ACTIF', dateDebut: '2026-09-28', dateFin: '2029-09-27', mesuresTypeCode: 'CDC' }
  expect(parseServices({ nbTotalServices: 1, serviceSouscrit: [service] }, PRM)).toEqual([
    { active: true, startsOn: '2026-09-28', endsOn: '2029-09-27', kind: 'CDC' },
  ])
  expect(parseServices({}, PRM)).toEqual([])
})

test.each([
  { v: '-1', d: '2026-03-12' },
  { v: 'beaucoup', d: '2026-03-12' },
  { v: '1e99', d: '2026-03-12' },
  { v: '12', d: '2026-02-30' },
])('%j is refused as a daily energy', ({ v, d }) => {
  expect(() =>
    parseDaily({ idPrm: PRM, grandeur: [{ unite: 'Wh', points: [{ v, d }] }] }, buildCurveRequest()),
  ).toThrow(EnedisError)
  expect(() => parseDaily(wh([{ value: v, date: d }]), buildCurveRequest())).toThrow(EnedisError)
})

test('an empty energy is an unknown day; an answer about another point is refused', () => {
  const days = [
    { value: ' ', date: '2026-03-12' },
    { value: '7', date: '2026-03-13' },
  ]
  expect(parseDaily(wh(days), buildCurveRequest())).toEqual([{ day: '2026-03-13', wh: 7 }])
  expect(() => parseDaily(wh(days), { ...buildCurveRequest(), prm: '12345678901234' })).toThrow(EnedisError)
})

test('a date that does not exist is refused for a service', () => {
  expect(() => parseServices({ serviceSouscrit: [{ dateDebut: '2026-13-01' }] }, PRM)).toThrow(EnedisError)
})
