import type { SimulatorResponse } from './answers.ts'

const HUGE_LENGTH = 9_000_000
const DEEP_LEVELS = 50_000

const toOkResponse = (body: string): SimulatorResponse => ({ status: 200, body })
const points = (point: object) =>
  JSON.stringify({
    idPrm: '00000000000000',
    meter_reading: { usage_point_id: '00000000000000', interval_reading: [{ ...point, interval_length: 'PT15M' }] },
    grandeur: [{ points: [point] }],
  })

/** Malicious or broken answers, served in turn. */
const HOSTILE_RESPONSES: (() => SimulatorResponse)[] = [
  () => toOkResponse(`{"idPrm":"${'9'.repeat(HUGE_LENGTH)}"}`),
  () =>
    toOkResponse(
      `{"grandeur":${'['.repeat(DEEP_LEVELS)}${']'.repeat(DEEP_LEVELS)},"meter_reading":${'['.repeat(DEEP_LEVELS)}${']'.repeat(DEEP_LEVELS)}}`,
    ),
  () =>
    toOkResponse(
      '{"idPrm":{"__proto__":{"admin":true}},"grandeur":"aucune","meter_reading":[],"series":7,"quantities":{}}',
    ),
  () =>
    toOkResponse(
      points({ v: '-540', d: '2026-03-12 00:15:00', p: 'PT15M', value: '-540', date: '2026-03-12 00:15:00' }),
    ),
  () => ({
    ...toOkResponse('<!doctype html><html><body>Service momentanément indisponible</body></html>'),
    html: true,
  }),
  () => toOkResponse(points({ v: '1e400', d: '9999-99-99 99:99:99', p: 'PT15M', value: 'NaN', date: 'demain' })),
  () =>
    toOkResponse(points({ v: '540', d: '2026-03-12 00:15:00', p: 'PT15M', value: '540', date: '2026-03-12 00:15:00' })),
]

export const createHostileResponse = (turn: number): SimulatorResponse =>
  (HOSTILE_RESPONSES[turn % HOSTILE_RESPONSES.length] ?? (() => toOkResponse('null')))()
