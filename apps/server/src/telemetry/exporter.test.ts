import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createExporter } from './exporter.ts'

const log = pino({ level: 'silent' })
const collector = { endpoint: 'http://collector', headers: {} }

function open(answers: (number | Error)[]) {
  const sent: number[][] = []
  const post = async (_: unknown, init?: RequestInit) => {
    const answer = answers.shift() ?? 200
    if (answer instanceof Error) throw answer
    if (answer === 200) sent.push(JSON.parse(String(init?.body)).batch)
    return new Response('{}', { status: answer })
  }
  return { sent, exporter: createExporter<number>(collector, '/v1', (batch) => ({ batch }), { log, post }) }
}
const add = (exporter: { add(n: number): void }, many: number) => {
  for (let n = 0; n < many; n++) exporter.add(n)
}

test('batches are complete and in order, and survive a short outage of the collector', async () => {
  const { sent, exporter } = open([new Error('away'), 503])
  add(exporter, 1200)
  await exporter.flush()
  await exporter.flush()
  await exporter.close()
  expect(sent.map((batch) => batch.length)).toEqual([512, 512, 176])
  expect(sent.flat()).toEqual(Array.from({ length: 1200 }, (_, n) => n))
})

test('items added during a send are not taken as sent', async () => {
  const { sent, exporter } = open([])
  add(exporter, 3)
  const sending = exporter.flush()
  add(exporter, 5)
  await sending
  await exporter.close()
  expect(sent.map((batch) => batch.length)).toEqual([3, 5])
})

test('a collector that stays down costs bounded memory', async () => {
  const { sent, exporter } = open([new Error('away')])
  add(exporter, 20_000)
  await exporter.flush()
  await exporter.close()
  expect(sent.flat()).toHaveLength(8192)
})
