import { MutationObserver } from '@tanstack/react-query'
import { endpoints } from '@voisol/contract'
import { auth } from '@voisol/contract/auth'
import type { Endpoint } from '@voisol/contract/endpoint'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, call } from './call.ts'
import { stubPage, stubStorage, testUser } from './fake-browser.ts'
import { buildMutation, queryClient, withCallKey } from './queries.ts'
import { login, logout, register } from './session.ts'

const sent = vi.fn<typeof fetch>()
const keys = () => sent.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'))

beforeEach(() => {
  stubStorage()
  stubPage()
  vi.stubGlobal('fetch', sent)
  sent.mockReset().mockImplementation(async () => Response.json({}))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The answer is not looked at here: any endpoint of the contract may be called without its input. */
const attempt = (e: Endpoint) => call(e, {}).catch(() => undefined)

test('every write of the contract carries a key of its own, and no read does', async () => {
  for (const e of endpoints) await attempt(e)
  expect(keys().map((key) => key !== null)).toEqual(endpoints.map(({ method }) => method !== 'GET'))
  const given = keys().filter((key) => key !== null)
  expect(given.filter((key) => !/^[\x21-\x7e]{8,100}$/.test(key))).toEqual([])
  expect(new Set(given).size).toBe(given.length)
})

test('so do signing in, joining and leaving', async () => {
  const fields = { email: testUser.email, password: 'soleil-partage' }
  await login(fields).catch(() => undefined)
  await register({ ...fields, firstName: '', lastName: '', companyName: '' }).catch(() => undefined)
  await logout('user', null)
  expect(keys().map((key) => key !== null)).toEqual([true, true, true])
})

test('the one retry after a lost answer repeats the key', async () => {
  vi.useFakeTimers()
  sent.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockImplementation(async () => Response.json(testUser))
  const action = new MutationObserver(queryClient, buildMutation(auth.switchCompany))
  const done = action.mutate(withCallKey({ body: { companyId: 1 } }))
  await vi.runAllTimersAsync()
  await done
  expect(keys()).toHaveLength(2)
  expect(keys()[0]).toBe(keys()[1])
  await action.mutate(withCallKey({ body: { companyId: 1 } }))
  expect(keys()[2]).not.toBe(keys()[0])
})

test('a refusal is not tried again', async () => {
  sent.mockImplementation(async () => new Response('', { status: 409 }))
  const action = new MutationObserver(queryClient, buildMutation(auth.switchCompany))
  await expect(action.mutate(withCallKey({ body: { companyId: 1 } }))).rejects.toBeInstanceOf(ApiError)
  expect(sent).toHaveBeenCalledTimes(1)
})
