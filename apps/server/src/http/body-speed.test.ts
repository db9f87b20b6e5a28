import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { useServer } from '../../test/server.ts'
import { CONNECTION_TIMEOUTS, registerBodySpeedLimit } from './request-bodies.ts'

const server = useServer()
const app = Fastify()
registerBodySpeedLimit(app, { everyMs: 50, leastBytes: 1000 })
app.post('/', async ({ body }) => ({ got: JSON.stringify(body).length }))
afterAll(() => app.close())

const head = (length: number) =>
  `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

test('a body that arrives too slowly is aborted; a normal one is answered', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo // it listens on a port
  const slow = connect(port, '127.0.0.1')
  slow.write(head(5000))
  const timer = setInterval(() => slow.write('"'), 10)
  // Writing after the other end has closed fails, which is not relevant here.
  slow.on('error', () => undefined)
  const [answer] = await once(slow, 'data')
  clearInterval(timer)
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /)
  await once(slow, 'close')

  const usual = connect(port, '127.0.0.1')
  usual.write(`${head(3002)}"${'a'.repeat(3000)}"`)
  expect(await text(usual)).toContain('{"got":3002}')
})

test('headers, silence and idle connections have time limits', () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server.app.server
  expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }).toEqual({
    headersTimeout: CONNECTION_TIMEOUTS.headersTimeout,
    requestTimeout: CONNECTION_TIMEOUTS.requestTimeout,
    timeout: CONNECTION_TIMEOUTS.connectionTimeout,
    keepAliveTimeout: CONNECTION_TIMEOUTS.keepAliveTimeout,
  })
  for (const value of Object.values(CONNECTION_TIMEOUTS)) expect(value).toBeGreaterThan(0)
})
