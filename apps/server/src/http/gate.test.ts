import { api } from '@voisol/contract'
import { expect, test } from 'vitest'
import { openGate, openGates } from './gate.ts'

const never = () => new AbortController().signal
const settle = () => new Promise((resolve) => setImmediate(resolve))
const state = (given: Promise<unknown>) => Promise.race([given.then(() => 'in'), settle().then(() => 'waits')])

test('beyond its share the calls of a company wait in line, and beyond that it is sent away; others are not', async () => {
  const gate = openGate({ running: 2, waiting: 1, seconds: 60 })
  const [first, second] = [await gate.enter(7, never()), await gate.enter(7, never())]
  const third = gate.enter(7, never())
  expect(await state(third)).toBe('waits')
  await expect(gate.enter(7, never())).rejects.toMatchObject({ code: 'busy', status: 429, retryAfter: 60 })
  await gate.enter(8, never())
  first()
  const leave = await third
  // Leaving twice frees one place.
  first()
  const fourth = gate.enter(7, never())
  expect(await state(fourth)).toBe('waits')
  second()
  leave()
  ;(await fourth)()
  await gate.enter(7, never())
})

test('one who leaves the line, or waits too long, keeps nobody’s place', async () => {
  const gate = openGate({ running: 1, waiting: 2, seconds: 0.02 })
  const leave = await gate.enter(7, never())
  const gone = new AbortController()
  const [first, second] = [gate.enter(7, gone.signal), gate.enter(7, never())]
  gone.abort()
  await expect(first).rejects.toMatchObject({ code: 'busy' })
  await expect(second).rejects.toMatchObject({ code: 'busy' })
  leave()
  await gate.enter(7, never())
})

test('what takes minutes stands in a line of its own', () => {
  const gates = openGates(12)
  const long = [api.keys.compare, api.keys.importCoefficients, api.curves.upload, api.curves.export, api.projects.study]
  for (const e of [...long, api.participants.import, api.distributorFiles.upload])
    expect(gates(e)).toBe(gates(long[0] ?? e))
  expect(gates(api.auth.me)).not.toBe(gates(api.keys.compare))
  expect(gates(api.auth.me)).toBe(gates(api.users.list))
  const sized = (length: string) => gates(api.users.invite, { 'content-length': length })
  expect(sized('100000')).toBe(gates(api.auth.me))
  expect(sized('100001')).toBe(gates(api.keys.compare))
  expect(gates(api.users.invite, { 'transfer-encoding': 'chunked' })).toBe(gates(api.keys.compare))
})
