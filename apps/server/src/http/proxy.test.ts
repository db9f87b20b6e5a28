import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { registerProxyDetection } from './client-address.ts'

function watch(config: { production: boolean; TRUST_PROXY: string }) {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const app = Fastify()
  app.decorate('deps', { config, log } as never) // the two that are looked at
  registerProxyDetection(app)
  app.get('/', async () => 'ok')
  const visit = (headers: Record<string, string> = {}) => app.inject({ url: '/', headers })
  return { app, lines, visit }
}

test('an unknown proxy is reported once, whoever it forwards for', async () => {
  const { app, lines, visit } = watch({ production: true, TRUST_PROXY: '' })
  await visit()
  expect([app.proxy.unnamed, lines]).toEqual([false, []])
  await visit({ 'x-forwarded-for': '203.0.113.7' })
  await visit({ forwarded: 'for=203.0.113.8' })
  expect(app.proxy.unnamed).toBe(true)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, variable: 'TRUST_PROXY' })
})

test.each([[{ production: true, TRUST_PROXY: '10.0.0.1' }], [{ production: false, TRUST_PROXY: '' }]])(
  '%j is not reported',
  async (config) => {
    const { app, lines, visit } = watch(config)
    await visit({ forwarded: 'for=203.0.113.8' })
    expect([app.proxy.unnamed, lines]).toEqual([false, []])
  },
)
