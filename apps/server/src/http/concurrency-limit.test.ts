import { api } from '@voisol/contract'
import type { Endpoint } from '@voisol/contract/endpoint'
import { expect, test } from 'vitest'
import { createCallLimiter, createConcurrencyLimiter, createSlowCallMemory } from './concurrency-limit.ts'

const never = () => new AbortController().signal
const waitForNextTurn = () => new Promise((resolve) => setImmediate(resolve))
const getQueueState = (given: Promise<unknown>) =>
  Promise.race([given.then(() => 'in'), waitForNextTurn().then(() => 'waits')])

test('calls beyond a company’s share wait, then are refused; other companies are not affected', async () => {
  const gate = createConcurrencyLimiter({ running: 2, waiting: 1, seconds: 60 })
  const [first, second] = [await gate.enter(7, never()), await gate.enter(7, never())]
  const third = gate.enter(7, never())
  expect(await getQueueState(third)).toBe('waits')
  await expect(gate.enter(7, never())).rejects.toMatchObject({ code: 'busy', status: 429, retryAfter: 60 })
  await gate.enter(8, never())
  first()
  const leave = await third
  // Releasing twice frees one slot.
  first()
  const fourth = gate.enter(7, never())
  expect(await getQueueState(fourth)).toBe('waits')
  second()
  leave()
  ;(await fourth)()
  await gate.enter(7, never())
})

test('a caller that leaves the queue, or waits too long, takes no slot', async () => {
  const gate = createConcurrencyLimiter({ running: 1, waiting: 2, seconds: 0.02 })
  const leave = await gate.enter(7, never())
  const gone = new AbortController()
  const [first, second] = [gate.enter(7, gone.signal), gate.enter(7, never())]
  gone.abort()
  await expect(first).rejects.toMatchObject({ code: 'busy' })
  await expect(second).rejects.toMatchObject({ code: 'busy' })
  leave()
  await gate.enter(7, never())
})

const enterer = (pool: number, now?: () => number) => {
  const gates = createCallLimiter(pool, now)
  return (e: Endpoint, headers: Record<string, string> = {}, companyId = 7) => gates(e, headers, companyId, never())
}

test.each([
  ['keys.compare', api.keys.compare, {}],
  ['keys.importCoefficients', api.keys.importCoefficients, {}],
  ['curves.upload', api.curves.upload, {}],
  ['curves.export', api.curves.export, {}],
  ['projects.study', api.projects.study, {}],
  ['participants.import', api.participants.import, {}],
  ['distributorFiles.upload', api.distributorFiles.upload, {}],
  ['a body of more than 100 000 bytes', api.users.invite, { 'content-length': '100001' }],
  ['a body that does not say its size', api.users.invite, { 'transfer-encoding': 'chunked' }],
])('long calls have a queue of their own: %s', async (_, e, headers) => {
  const enter = enterer(12)
  const leave = await enter(api.keys.compare)
  await enter(e, headers)
  expect(await getQueueState(enter(api.curves.export))).toBe('waits')
  expect(await getQueueState(enter(api.auth.me))).toBe('in')
  leave()
})

test('a body of 100 000 bytes uses the ordinary queue', async () => {
  const enter = enterer(12)
  await enter(api.keys.compare)
  await enter(api.users.invite, { 'content-length': '100000' })
  expect(await getQueueState(enter(api.curves.export))).toBe('in')
})

test('a slow call may run twice at once per company, until fast again; other calls do not wait', async () => {
  let now = 0
  const enter = enterer(12, () => now)
  const call = async (milliseconds: number) => {
    const leave = await enter(api.energy.series)
    now += milliseconds
    leave()
    now += 5000
    // Releasing again does not record a duration.
    leave()
  }
  const three = async () => {
    const calls = [enter(api.energy.series), enter(api.energy.series), enter(api.energy.series)]
    const states = await Promise.all(calls.map(getQueueState))
    const beside = [await enter(api.auth.me), await enter(api.energy.series, {}, 8)]
    for (const leave of beside) leave()
    for (const given of calls) (await given)()
    return states
  }
  await call(999)
  expect(await three()).toEqual(['in', 'in', 'in'])
  await call(1000)
  expect(await three()).toEqual(['in', 'in', 'waits'])
  // All three were fast.
  expect(await three()).toEqual(['in', 'in', 'in'])
})

test('only the latest slow calls are remembered', () => {
  const memory = createSlowCallMemory(2)
  for (const companyId of [1, 2, 1, 3]) memory.took(api.energy.series, companyId, 2000)
  expect([1, 2, 3].map((companyId) => memory.isSlow(api.energy.series, companyId))).toEqual([true, false, true])
})
