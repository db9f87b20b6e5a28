import { dayStart } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { EnedisError } from './faults.ts'
import { parseV2, parseV5 } from './parse-curve.ts'
import { parseDaily, parseQuantities, parseServices } from './parse-others.ts'

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
const first = dayStart('2026-03-12') + 30

test('both forms give the same curve', () => {
  const expected = {
    prm: PRM,
    direction: 'consumption',
    points: [{ end: first, minutes: 30, watts: 540, quality: 'raw' }],
  }
  expect(parseV2(v2([{ v: '540', d: '2026-03-12 00:30:00', p: 'PT30M', n: 'B', iv: '0' }]), 'consumption')).toEqual(
    expected,
  )
  const old = { value: '540', date: '2026-03-12 00:30:00', interval_length: 'PT30M', measure_type: 'B' }
  expect(parseV5(v5([old]), 'consumption')).toEqual(expected)
})

test('an empty value is a hole, and a repeated instant is told once, by its last word', () => {
  const { points } = parseV2(
    v2([
      { v: '2', d: '2026-03-12 01:00:00', p: 'PT30M' },
      { v: '', d: '2026-03-12 01:30:00', p: 'PT30M' },
      { v: '1', d: '2026-03-12 00:30:00', p: 'PT30M' },
      { v: '3', d: '2026-03-12 01:00:00', p: 'PT30M' },
    ]),
    'production',
  )
  expect(points.map(({ end, watts }) => [end - first, watts])).toEqual([
    [0, 1],
    [30, 3],
  ])
})

test('corrected values say so', () => {
  const point = { v: '1', d: '2026-03-12 00:30:00', p: 'PT30M' }
  expect(parseV2(v2([point], { etapeMetier: 'BEST' }), 'consumption').points[0]?.quality).toBe('corrected')
  const old = { value: '1', date: '2026-03-12 00:30:00', interval_length: 'PT30M' }
  expect(parseV2(v2([{ ...point, iv: '1' }]), 'consumption').points[0]?.quality).toBe('doubtful')
  expect(parseV5(v5([old], 'CORRIGE'), 'consumption').points[0]?.quality).toBe('corrected')
})

test('three phases are summed', () => {
  const date = '2026-03-12 00:30:00'
  const reading = { value: ['100', '200', '300'], date: [date, date, date], interval_length: 'PT30M' }
  expect(parseV5(v5([reading]), 'consumption').points[0]?.watts).toBe(600)
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
])('%j is not an answer', (body) => {
  expect(() => parseV2(body, 'consumption')).toThrow(EnedisError)
  try {
    parseV2(body, 'consumption')
  } catch (error) {
    expect((error as EnedisError).fault).toMatchObject({ code: 'unreadable', nature: 'answer' })
  }
})

test('daily energies, quantities and services', () => {
  const second = {
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
  expect(parseDaily(second)).toEqual([{ day: '2026-03-12', wh: 12_000 }])
  expect(parseDaily(v5([{ value: '7', date: '2026-03-12' }]))).toEqual([{ day: '2026-03-12', wh: 7 }])
  const quantities = [{ type: 'autocons', calendar_type: 'DISTRIB', quantities: [{ name: 'HPB', value: 95 }] }]
  expect(parseQuantities({ cons_id: PRM, unit: 'kWh', quantities })).toEqual([
    { type: 'autocons', calendar: 'DISTRIB', name: 'HPB', wh: 95_000 },
  ])
  const service = { etatCode: 'ACTIF', dateDebut: '2026-09-28', dateFin: '2029-09-27', mesuresTypeCode: 'CDC' }
  expect(parseServices({ nbTotalServices: 1, serviceSouscrit: [service] })).toEqual([
    { active: true, startsOn: '2026-09-28', endsOn: '2029-09-27', kind: 'CDC' },
  ])
  expect(parseServices({})).toEqual([])
})

test.each([
  { v: '-1', d: '2026-03-12' },
  { v: 'beaucoup', d: '2026-03-12' },
  { v: '1e99', d: '2026-03-12' },
  { v: '12', d: '2026-02-30' },
])('%j is not a daily energy', ({ v, d }) => {
  expect(() => parseDaily({ grandeur: [{ points: [{ v, d }] }] })).toThrow(EnedisError)
  expect(() => parseDaily(v5([{ value: v, date: d }]))).toThrow(EnedisError)
})

test('an empty energy is a day that is not known, and an answer is about the point that was asked for', () => {
  expect(parseDaily(v5([{ value: ' ', date: '2026-03-12' }]), PRM)).toEqual([])
  expect(() => parseDaily(v5([{ value: '7', date: '2026-03-12' }]), '12345678901234')).toThrow(EnedisError)
})

test('a date that does not exist is not the date of a service', () => {
  expect(() => parseServices({ serviceSouscrit: [{ dateDebut: '2026-13-01' }] })).toThrow(EnedisError)
})
