import type { Answer } from './answers.ts'

const HUGE = 9_000_000
const DEEP = 50_000

const says = (body: string): Answer => ({ status: 200, body })
const points = (point: object) =>
  JSON.stringify({
    idPrm: '00000000000000',
    meter_reading: { usage_point_id: '00000000000000', interval_reading: [{ ...point, interval_length: 'PT15M' }] },
    grandeur: [{ points: [point] }],
  })

/** Answers that nobody should send, one after the other. */
const ANSWERS: (() => Answer)[] = [
  () => says(`{"idPrm":"${'9'.repeat(HUGE)}"}`),
  () =>
    says(`{"grandeur":${'['.repeat(DEEP)}${']'.repeat(DEEP)},"meter_reading":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`),
  () =>
    says('{"idPrm":{"__proto__":{"admin":true}},"grandeur":"aucune","meter_reading":[],"series":7,"quantities":{}}'),
  () => says(points({ v: '-540', d: '2026-03-12 00:15:00', p: 'PT15M', value: '-540', date: '2026-03-12 00:15:00' })),
  () => ({ ...says('<!doctype html><html><body>Service momentanément indisponible</body></html>'), html: true }),
  () => says(points({ v: '1e400', d: '9999-99-99 99:99:99', p: 'PT15M', value: 'NaN', date: 'demain' })),
  () => says(points({ v: '540', d: '2026-03-12 00:15:00', p: 'PT15M', value: '540', date: '2026-03-12 00:15:00' })),
]

export const hostileAnswer = (turn: number): Answer => (ANSWERS[turn % ANSWERS.length] ?? (() => says('null')))()
