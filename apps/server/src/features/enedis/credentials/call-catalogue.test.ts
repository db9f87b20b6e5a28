import { dayStart } from '@voisol/energy/calendar'
import { describe, expect, test } from 'vitest'
import {
  CURVE_TEMPLATES,
  DAILY_ENERGY_TEMPLATES,
  OTHER_TEMPLATES,
} from '../../../integrations/enedis/call-templates.ts'
import {
  parseAgreement,
  parseAgreements,
  parseDaily,
  parsePerimeter,
  parseQuantities,
  parseSeries,
  parseServices,
} from '../../../integrations/enedis/parse-agreements.ts'
import { parseCurveV2, parseCurveV5 } from '../../../integrations/enedis/parse-curve.ts'
import { toAgreementSeries } from './agreement-series.ts'
import { ENEDIS_CALLS } from './call-catalogue.ts'
import { ANSWER_EXAMPLES } from './call-examples.ts'
import { getNextHour } from './credential-queries.ts'

const example = (name: keyof typeof ANSWER_EXAMPLES): unknown => JSON.parse(ANSWER_EXAMPLES[name])

test('every path of the URL templates is in the catalogue once', () => {
  const measures = [CURVE_TEMPLATES, DAILY_ENERGY_TEMPLATES].flatMap((kind) =>
    Object.values(kind).flatMap((both) => Object.values(both)),
  )
  const paths = [...measures, ...Object.values(OTHER_TEMPLATES)].map(({ path }) => path).sort()
  expect(ENEDIS_CALLS.map(({ path }) => path.split('?')[0]).sort()).toEqual(paths)
  expect(new Set(ENEDIS_CALLS.map(({ id }) => id)).size).toBe(ENEDIS_CALLS.length)
})

test('every example answer can be parsed', () => {
  const acc = 'ACC00000537'
  const week = { prm: '19125759625988', direction: 'consumption', from: '2026-09-01', to: '2026-09-08' } as const
  const month = { acc, prm: week.prm, from: '2026-09-01', to: '2026-10-01' }
  expect(parseCurveV2(example('curveV2'), week).points).toHaveLength(2)
  expect(parseCurveV5(example('curveV1'), week).points).toHaveLength(2)
  expect(parseDaily(example('dailyV2'), week)).toEqual(parseDaily(example('dailyV1'), week))
  expect(parsePerimeter(example('perimeter')).prms).toHaveLength(2)
  expect(parseServices(example('services'), week.prm)).toMatchObject([{ active: true }])
  expect(parseAgreements(example('agreements'))).toHaveLength(1)
  expect(parseAgreement(example('agreement'), acc)).toHaveLength(2)
  expect(parseSeries(example('series'), { ...month, type: 'autocons' })[0]?.points).toHaveLength(2)
  expect(parseQuantities(example('quantities'), { ...month, role: 'cons' })).toHaveLength(6)
})

describe('an agreement series', () => {
  const at = dayStart('2026-09-01')
  const span = { from: at, to: dayStart('2026-09-02') }
  const point = (end: number, minutes: number, watts: number) => ({
    end: at + end,
    minutes,
    watts,
    quality: 'raw' as const,
  })
  const curve = (points: ReturnType<typeof point>[]) => ({
    prm: '',
    direction: 'consumption' as const,
    type: 'autocons' as const,
    points,
  })

  test('has null and not zero where nothing was sent', () => {
    const { watts, step, energyWh, prm } = toAgreementSeries(curve([point(15, 15, 400), point(45, 15, 0)]), span)
    expect({ step, energyWh, prm, first: watts.slice(0, 4), length: watts.length }).toEqual({
      step: 15,
      energyWh: 100,
      prm: null,
      first: [400, null, 0, null],
      length: 96,
    })
  })

  test('of several steps uses the shortest one and keeps the energy', () => {
    const { watts, step, energyWh } = toAgreementSeries(curve([point(30, 30, 600), point(45, 15, 200)]), span)
    expect({ step, energyWh, first: watts.slice(0, 4) }).toEqual({
      step: 15,
      energyWh: 350,
      first: [600, 600, 200, null],
    })
  })

  test('without values is complete and empty', () => {
    const { watts, energyWh } = toAgreementSeries(curve([]), span)
    expect({ known: watts.filter((one) => one !== null), length: watts.length, energyWh }).toEqual({
      known: [],
      length: 96,
      energyWh: 0,
    })
  })
})

test.each([
  ['2026-09-01T07:59:00+02:00', '2026-09-01T06:00:00Z'],
  ['2026-09-01T08:00:00+02:00', '2026-09-02T06:00:00Z'],
  ['2026-10-24T09:00:00+02:00', '2026-10-25T07:00:00Z'],
])('after %s the next eight o’clock is %s', (now, next) => {
  expect(getNextHour(8, Temporal.Instant.from(now).toZonedDateTimeISO('Europe/Paris'))).toBe(next)
})
