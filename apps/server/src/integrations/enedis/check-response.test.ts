import { describe, expect, test } from 'vitest'
import { catchEnedisError, useFixedResponseDistributor } from '../../../test/enedis-simulator.ts'

const PRM = '16401220101758'
const { open, say } = useFixedResponseDistributor()
const CURVE_REQUEST = { prm: PRM, direction: 'consumption', from: '2026-03-12', to: '2026-03-13' } as const
const FOLD = { ...CURVE_REQUEST, from: '2026-10-25', to: '2026-10-26' } as const

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00`
/** A day of 24 hours by its ends, as the distributor stamps it. */
const stamps = (day: string, next: string, step: number) =>
  Array.from({ length: 1440 / step }, (_, at) =>
    at + 1 === 1440 / step ? `${next} 00:00:00` : `${day} ${clock((at + 1) * step)}`,
  )
const DAY = stamps('2026-03-12', '2026-03-13', 15)
/** A day of 25 hours: the hour after two occurs twice. */
const LONG = [
  ...stamps('2026-10-25', '2026-10-26', 15).slice(0, 11),
  ...stamps('2026-10-25', '2026-10-26', 15).slice(7),
]

type Point = { v: string; d: string; p: string }
const points = (ends: string[], p = 'PT15M'): Point[] => ends.map((d, at) => ({ v: String(300 + at * 7), d, p }))
const v2 = (list: object[], more: object = {}) => ({
  idPrm: PRM,
  grandeur: [{ grandeurMetier: 'CONS', grandeurPhysique: 'PA', unite: 'W', points: list, ...more }],
})
const v5 = (list: Point[], unit: string | undefined = 'W', more: object = {}) => ({
  meter_reading: {
    usage_point_id: PRM,
    reading_type: { unit },
    interval_reading: list.map(({ v, d, p }) => ({ value: v, date: d, interval_length: p })),
    ...more,
  },
})
const normalizeSpaces = (text: string) => text.replaceAll('\u00a0', ' ')

describe('a curve', () => {
  test('is read in ascending or descending order, on the day of 25 hours too', async () => {
    say(v2(points(LONG)))
    const right = await open().loadCurve(FOLD)
    expect(right.points).toHaveLength(100)
    expect(right.points.map(({ watts }) => watts)).toEqual(points(LONG).map(({ v }) => Number(v)))
    say(v2(points(LONG).toReversed()))
    expect(await open().loadCurve(FOLD)).toEqual(right)
    const mixed = [3, 0, 1, 2, 8, 12].flatMap((at) => points(LONG)[at] ?? [])
    say(v2([...mixed, ...points(LONG)]))
    expect(normalizeSpaces((await catchEnedisError(open().loadCurve(FOLD))).fault.message)).toMatch(/heure d’hiver/)
  })

  test.each([
    ['a longer step than its stamps', points(DAY, 'PT30M'), /PT30M|30 minutes/],
    ['a shorter step than its stamps', points(stamps('2026-03-12', '2026-03-13', 30), 'PT15M'), /15 minutes/],
    [
      'a value that covers another',
      points(DAY).map((one, at) => (at === 3 ? { ...one, p: 'PT30M' } : one)),
      /30 minutes, mais/,
    ],
    ['stamps off their step', points(DAY.map((d) => d.replace(/:([0-3])[05]:00$/, ':$17:00'))), /pas de 15 minutes/],
    ['another day', points(stamps('2026-03-11', '2026-03-12', 15).slice(0, -1)), /11\/03\/2026/],
    ['a day too many', points([...DAY, ...stamps('2026-03-13', '2026-03-14', 15)]), /96 valeurs/],
    ['nothing', [], /aucune valeur/],
    ['empty values alone', points(DAY).map((one) => ({ ...one, v: '' })), /aucune valeur/],
  ])('with %s is quarantined, in both formats', async (_, list, said) => {
    for (const [backend, body] of [
      ['dataconnect-v2', v2(list)],
      ['dataconnect-v1', v5(list)],
    ] as const) {
      say(body)
      const { fault, requestId } = await catchEnedisError(open(backend).loadCurve(CURVE_REQUEST))
      expect(fault).toMatchObject({ code: 'mismatch', nature: 'answer', status: 200 })
      expect(normalizeSpaces(fault.message)).toMatch(said)
      expect(requestId).not.toBe('')
    }
  })

  test('of another unit, quantity or direction is quarantined', async () => {
    for (const more of [
      { unite: 'kW' },
      { unite: undefined },
      { grandeurPhysique: 'EA' },
      { grandeurMetier: 'PROD' },
    ]) {
      say(v2(points(DAY), more))
      expect((await catchEnedisError(open().loadCurve(CURVE_REQUEST))).fault.code, JSON.stringify(more)).toBe(
        'mismatch',
      )
    }
    for (const unit of ['kW', 'kWh', undefined]) {
      say(v5(points(DAY), unit, unit === undefined ? { reading_type: undefined } : {}))
      const { fault } = await catchEnedisError(open('dataconnect-v1').loadCurve(CURVE_REQUEST))
      expect(fault.code, unit).toBe('mismatch')
      expect(normalizeSpaces(fault.message)).toMatch(/unité/)
    }
  })

  test('drops only the midnight that ends the day before; a missing phase makes a gap', async () => {
    say(v2([{ v: '999', d: '2026-03-12 00:00:00', p: 'PT15M' }, ...points(DAY)]))
    expect((await open().loadCurve(CURVE_REQUEST)).points).toHaveLength(96)
    const phases = v5(points(DAY)) as { meter_reading: { interval_reading: { value: unknown }[] } }
    const [first] = phases.meter_reading.interval_reading
    if (first) first.value = ['110', '', '130']
    say(phases)
    expect((await open('holder').loadCurve(CURVE_REQUEST)).points).toHaveLength(95)
  })
})

describe('daily energies', () => {
  const daily = (days: [string, string][], unit: string | undefined) => ({
    meter_reading: {
      usage_point_id: PRM,
      reading_type: { unit },
      interval_reading: days.map(([date, value]) => ({ value, date })),
    },
  })
  test.each([
    ['in kWh', [['2026-03-12', '12']], 'kWh'],
    ['without a unit', [['2026-03-12', '12000']], undefined],
    ['of another day', [['2026-03-11', '12000']], 'Wh'],
    ['of none', [], 'Wh'],
  ] as [string, [string, string][], string | undefined][])('%s are quarantined', async (_, days, unit) => {
    say(daily(days, unit))
    expect((await catchEnedisError(open('dataconnect-v1').dailyEnergy(CURVE_REQUEST))).fault.code).toBe('mismatch')
    say({ idPrm: PRM, grandeur: [{ unite: unit, points: days.map(([d, v]) => ({ d, v })) }] })
    expect((await catchEnedisError(open().dailyEnergy(CURVE_REQUEST))).fault.code).toBe('mismatch')
  })
})

describe('the data of an agreement', () => {
  const row = (more: object = {}) => ({
    usage_point_id: PRM,
    type: 'autocons',
    step: 'PT15M',
    points: points(DAY).map(({ v, d }) => ({ v, d })),
    ...more,
  })
  const asked = { acc: 'ACC00000537', type: 'autocons', prm: PRM, from: '2026-03-12', to: '2026-03-13' } as const
  test.each([
    ['another point', row({ usage_point_id: '16401220101750' })],
    ['no point', row({ usage_point_id: null })],
    ['another series', row({ type: 'surplus' })],
    ['another unit', row({ unit: 'kW' })],
    ['other days', row({ points: points(stamps('2025-03-12', '2025-03-13', 15)).map(({ v, d }) => ({ v, d })) })],
    ['a step that is none', row({ step: 'PT30M' })],
  ])('of %s are quarantined', async (_, one) => {
    say({ agreement_id: 'ACC00000537', series: [row()] })
    expect(await open().series(asked)).toHaveLength(1)
    say({ agreement_id: 'ACC00000537', series: [one] })
    expect((await catchEnedisError(open().series(asked))).fault.code).toBe('mismatch')
  })

  test('of another agreement are quarantined, as is the access of another point', async () => {
    say({ agreement_id: 'ACC00000538', series: [row()] })
    expect((await catchEnedisError(open().series(asked))).fault.code).toBe('mismatch')
    say({ agreement_id: 'ACC00000538', usage_points: [{ usage_point_id: PRM, role: 'cons' }] })
    expect((await catchEnedisError(open().agreement('ACC00000537'))).fault.code).toBe('mismatch')
    say({ serviceSouscrit: [{ pointId: '16401220101750', etatCode: 'ACTIF', dateFin: '2029-01-01' }] })
    expect((await catchEnedisError(open().services(PRM))).fault.code).toBe('mismatch')
  })
})

describe('the message of a mismatch', () => {
  test.each([
    ['<html><head><title>Proxy</title></head></html>', /<html><head>/],
    ['null', /La réponse devrait être un objet.*nulle/],
    ['{}', /« idPrm ».*rien/],
    ['{"idPrm":"1","grandeur":"aucune"}', /« grandeur » devrait être une liste.*« aucune »/],
    ['{"idPrm":"1","grandeur":[{"points":[{"v":"1"}]}]}', /« grandeur\.0\.points\.0\.d »/],
  ])('states what was received: %s', async (body, said) => {
    say(body)
    const { fault, requestId } = await catchEnedisError(open().loadCurve(CURVE_REQUEST))
    expect(fault).toMatchObject({ code: 'unreadable', status: 200 })
    expect(normalizeSpaces(fault.message)).toMatch(said)
    expect(fault.message).not.toMatch(/not JSON|obligatoire|^:/)
    expect(requestId).not.toBe('')
  })
})
