import type { FastifyBaseLogger } from 'fastify'
import { expect, test } from 'vitest'
import { createThrottledReporter } from './throttled-reporter.ts'

test('the same error is logged once a minute, another one at once', () => {
  const lines: unknown[] = []
  const write = (line: unknown) => void lines.push(line)
  let now = 0
  const report = createThrottledReporter({ error: write, warn: write } as unknown as FastifyBaseLogger, () => now) // all it uses
  const away = (queue: string) =>
    Object.assign(new Error(`connect ECONNREFUSED (Queue: ${queue}, Worker: ${queue}-1)`), { code: 'ECONNREFUSED' })
  for (const queue of ['a', 'b', 'c']) report('error', away(queue))
  report('error', Object.assign(new Error('terminating connection'), { code: '57P01' }))
  expect(lines).toHaveLength(1)
  report('error', new Error('something else'))
  expect(lines.splice(1)).toHaveLength(1)
  report('warn', { message: 'Warning: queue "a" has 12000 jobs', data: {} })
  report('warn', { message: 'Warning: queue "b" has 13000 jobs', data: {} })
  expect(lines).toHaveLength(2)
  now = 60_001
  report('error', away('a'))
  expect(lines).toHaveLength(3)
})
