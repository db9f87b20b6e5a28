import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { enedisCredentials } from '../../../db/schema/index.ts'
import { type CredentialRow, findCredentialFor, insertCredential } from './credentials.ts'
import { acquireCallSlot, ENEDIS_QUOTAS, pauseCalls, recordCallOutcome, recordExtraCalls } from './rate-limits.ts'

const server = useServer()
const START = Date.parse('2026-09-01T10:00:00Z')
const at = (ms: number) => new Date(START + ms)
let credential: CredentialRow

beforeEach(async () => {
  const { id: companyId } = await makeCompany(server.db)
  const place = { companyId, operationId: null, environment: 'local', backend: 'holder' } as const
  const made = await insertCredential(server.db, server.deps.secrets, { ...place, clientId: 'a', clientSecret: 'b' })
  if (!made) throw new Error('no credential')
  credential = made
})
const take = (ms: number, quotas = true) => acquireCallSlot(server.db, credential, { quotas, now: at(ms) })
const report = (outcome: 'ok' | 'failure', ms: number) => recordCallOutcome(server.db, credential, outcome, at(ms))
const state = async () => (await findCredentialFor(server.db, credential.companyId, null))?.circuit
const set = (values: Partial<CredentialRow>) =>
  server.db.update(enedisCredentials).set(values).where(eq(enedisCredentials.id, credential.id))

describe('quotas', () => {
  test('allow five calls, then the sixth a little more than a second after the last', async () => {
    for (const ms of [0, 0, 100, 200, 300]) expect(await take(ms)).toBe(0)
    expect(await take(300)).toBe(1100)
    expect(await take(1399)).toBe(1)
    expect(await take(1400)).toBe(0)
  })

  test('allow at most five calls in any second', async () => {
    const taken: number[] = []
    for (let ms = 0; ms < 6000; ms += 70) if ((await take(ms)) === 0) taken.push(ms)
    for (const from of taken) expect(taken.filter((ms) => ms >= from && ms < from + 1100).length).toBeLessThanOrEqual(5)
    expect(taken.length).toBeGreaterThan(20)
  })

  test('allow five of many concurrent calls', async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => take(0)))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(ENEDIS_QUOTAS.second)
  })

  test('allow ten thousand calls per hour', async () => {
    await take(0)
    await set({ hourCalls: 9_999 })
    expect(await take(1_800_000)).toBe(0)
    expect(await take(1_801_370)).toBe(1_798_630)
    expect(await take(3_600_000)).toBe(0)
  })

  test('count the extra exchanges of a call', async () => {
    await take(0)
    await recordExtraCalls(server.db, credential, 0, at(0))
    await recordExtraCalls(server.db, credential, 4, at(200))
    expect(await take(300)).toBe(1000)
    expect(await take(1300)).toBe(0)
    await recordExtraCalls(server.db, credential, ENEDIS_QUOTAS.hour, at(5000))
    expect(await take(7000)).toBe(3_600_000 - 7000)
  })

  test('do not apply to the simulator', async () => {
    for (let n = 0; n < 20; n++) expect(await take(0, false)).toBe(0)
    await set({ environment: 'production' })
    expect(await take(0, false)).toBeGreaterThan(0)
  })

  test('keep the longer of two pauses', async () => {
    await pauseCalls(server.db, credential, at(5000))
    await pauseCalls(server.db, credential, at(2000))
    expect(await take(1000)).toBe(4000)
    expect(await take(5000)).toBe(0)
  })
})

describe('a pause requested by the distributor', () => {
  const fail = async (times: number, ms = 0) => {
    for (let n = 0; n < times; n++) await report('failure', ms)
  }

  test('is neither shortened by an opening circuit nor ended by a closing one', async () => {
    await pauseCalls(server.db, credential, at(613_000), at(0))
    await fail(5)
    expect(await take(0)).toBe(613_000)
    // A call that was under way may still succeed.
    await report('ok', 1000)
    expect(await take(1000)).toBe(612_000)
    await pauseCalls(server.db, credential, at(2000), at(1000))
    expect(await take(1000)).toBe(612_000)
    expect(await take(613_000)).toBe(0)
  })

  test('lasts a day at most, after which a single call is tried', async () => {
    const day = 24 * 3_600_000
    await pauseCalls(server.db, credential, at(day), at(0))
    expect(await state()).toBe('closed')
    await pauseCalls(server.db, credential, at(10 * day), at(0))
    expect(await take(0)).toBe(day)
    expect(await take(day)).toBe(0)
    expect(await take(day + 1)).toBeGreaterThan(0)
    await report('ok', day + 2)
    expect(await take(day + 3)).toBe(0)
  })

  test.each([Number.NaN, 8.64e15 + 1, 8.64e15])('with an invalid time (%d) lasts a day', async (ms) => {
    await pauseCalls(server.db, credential, new Date(ms), at(0))
    expect(await take(0)).toBe(24 * 3_600_000)
  })
})

describe('the circuit breaker', () => {
  const fail = async (times: number, ms = 0) => {
    for (let n = 0; n < times; n++) await report('failure', ms)
  }

  test('opens after five failures in a row, tries one call, and closes when it succeeds', async () => {
    await fail(4)
    await report('ok', 0)
    await fail(4)
    expect(await state()).toBe('closed')
    await fail(1)
    expect(await state()).toBe('open')
    expect(await take(0)).toBe(60_000)
    expect(await take(60_000)).toBe(0)
    expect(await state()).toBe('half-open')
    expect(await take(60_001)).toBeGreaterThan(0)
    await report('ok', 60_500)
    expect(await state()).toBe('closed')
    expect(await take(60_501)).toBe(0)
  })

  test('stays open twice as long each time, up to a quarter of an hour', async () => {
    await fail(5)
    let now = 0
    for (const minutes of [1, 2, 4, 8, 15, 15]) {
      expect(await take(now)).toBe(minutes * 60_000)
      now += minutes * 60_000
      expect(await take(now)).toBe(0)
      await report('failure', now)
    }
  })

  test('ignores calls that were under way when it opened', async () => {
    await fail(12)
    expect(await take(0)).toBe(60_000)
  })

  test('allows another trial call when the first never reported its result', async () => {
    await fail(5)
    expect(await take(60_000)).toBe(0)
    expect(await take(90_000)).toBe(0)
  })
})
