import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import {
  CredentialsInAddressError,
  createPoster,
  getUnbracketedHost,
  isPrivateHost,
  isPublicAddress,
  RefusedAddressError,
} from './post.ts'

const INNER = [
  'https://127.0.0.1/',
  'https://localhost/',
  'https://0/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://127.1/',
  'https://10.1.2.3/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://intranet/',
  'https://base.internal/',
]

test.each(INNER)('%s is not called', async (url) => {
  expect(isPrivateHost(getUnbracketedHost(new URL(url)))).toBe(true)
  await expect(createPoster().post({ url, headers: {}, body: '{}' })).rejects.toBeInstanceOf(RefusedAddressError)
})

test('public addresses are called, and nothing is sent unencrypted', async () => {
  for (const address of ['8.8.8.8', '51.15.0.1', '2a01:e0a::1']) expect(isPublicAddress(address)).toBe(true)
  expect(isPrivateHost('exemple.fr')).toBe(false)
  const clear = createPoster().post({ url: 'http://exemple.fr/', headers: {}, body: '' })
  await expect(clear).rejects.toBeInstanceOf(RefusedAddressError)
})

test('a redirect is returned as an answer and not followed', async () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(302, { location: '/ailleurs' }).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo // it listens
  const answer = await createPoster({ inner: true }).post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' })
  server.close()
  expect(answer.status).toBe(302)
  expect(seen).toEqual(['/'])
})

test.each(['moi:secret@', 'moi@', ':secret@', '@'])(
  'refuses an address with %s before its host, and sends nothing there',
  async (credentials) => {
    let calls = 0
    const server = createServer((_, response) => {
      calls++
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo // it listens
    const url = `http://${credentials}127.0.0.1:${port}/`
    const refusal = await createPoster({ inner: true })
      .post({ url, headers: {}, body: '{}' })
      .catch((error: unknown) => error)
    server.close()
    expect(refusal).toBeInstanceOf(CredentialsInAddressError)
    expect(String(refusal)).not.toMatch(/moi|secret@|:secret/)
    expect(calls).toBe(0)
  },
)
