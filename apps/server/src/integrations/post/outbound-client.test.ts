import type { lookup } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createOutboundClient } from './outbound-client.ts'
import { RefusedAddressError } from './post.ts'

type Done = (error: null, found: { address: string; family: number }[]) => void
const GET = { method: 'GET', headers: {} }

/** A resolver that gives these answers in turn, then repeats the last. */
function createResolver(...answers: string[][]) {
  let asked = 0
  const resolve = (_: string, __: object, done: Done) => {
    const found = answers[Math.min(asked++, answers.length - 1)] ?? []
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { resolve: resolve as unknown as typeof lookup, asked: () => asked } // one of several overloads
}

test.each([
  [['10.0.0.7']],
  [['169.254.169.254']],
  [['51.15.0.1', '127.0.0.1']],
  [['::ffff:127.0.0.1']],
  [['::1']],
  [['fd00::7']],
  [['64:ff9b::a00:7']],
])('a public name that resolves to %j is neither fetched nor connected to', async (answer) => {
  const outside = createOutboundClient({ ports: '8443', resolve: createResolver(answer).resolve })
  await expect(outside.fetch('https://exemple.fr:8443/', GET)).rejects.toBeInstanceOf(RefusedAddressError)
  await expect(outside.dial('exemple.fr', 22)).rejects.toBeInstanceOf(RefusedAddressError)
})

test('a name is resolved once per call, so that the checked address is the one called', async () => {
  const { resolve, asked } = createResolver(['127.0.0.1'], ['51.15.0.1'])
  await expect(createOutboundClient({ resolve }).fetch('https://exemple.fr/', GET)).rejects.toBeInstanceOf(
    RefusedAddressError,
  )
  expect(asked()).toBe(1)
})

test.each([
  'http://exemple.fr/',
  'https://exemple.fr@127.0.0.1/',
  'https://user@exemple.fr/',
  'file:///etc/passwd',
  'x',
])('%s is refused before any DNS lookup', async (url) => {
  const { resolve, asked } = createResolver(['51.15.0.1'])
  await expect(createOutboundClient({ resolve }).fetch(url, GET)).rejects.toBeInstanceOf(RefusedAddressError)
  expect(asked()).toBe(0)
})

test('a redirect is returned as an answer and not followed', async () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo // it listens
  const answer = await createOutboundClient({ inner: true }).fetch(`http://127.0.0.1:${port}/`, GET)
  server.close()
  expect([answer.status, seen]).toEqual([307, ['/']])
})
