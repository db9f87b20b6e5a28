import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createEnedisClient } from '../src/adapters/enedis/client.ts'
import { EnedisError } from '../src/adapters/enedis/faults.ts'
import type { EnedisInterface } from '../src/adapters/enedis/templates.ts'

type FixedResponse = { status?: number; body: string | object; headers?: Record<string, string> }

/** A distributor that gives the same answer to every call, to test how answers are handled. */
export function useFixedResponseDistributor() {
  const fixedResponse: FixedResponse = { body: {} }
  const server = createServer((request, response) => {
    const token = request.url?.endsWith('/token')
    const {
      status = 200,
      body,
      headers,
    } = token ? { body: { access_token: 'jeton', expires_in: 12_600 } } : fixedResponse
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => server.close())
  beforeEach(() => {
    Object.assign(fixedResponse, { status: 200, body: {}, headers: {} })
  })
  const open = (backend: EnedisInterface = 'dataconnect-v2') => {
    const { port } = server.address() as AddressInfo // it listens
    return createEnedisClient({ host: `http://127.0.0.1:${port}`, backend, clientId: 'client', clientSecret: 'secret' })
  }
  return {
    open,
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens
    say: (body: FixedResponse['body'], more: Omit<FixedResponse, 'body'> = {}) =>
      void Object.assign(fixedResponse, { body, ...more }),
  }
}

/** The error of a call; a successful call is an error of the test. */
export async function catchEnedisError(work: Promise<unknown>) {
  const error = await work.then(
    (value) => new Error(`no fault: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof EnedisError)) throw error
  return error
}
