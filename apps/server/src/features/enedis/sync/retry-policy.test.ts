import { expect, test } from 'vitest'
import { buildDistributorFault, type DistributorFault } from '../../../integrations/enedis/enedis-faults.ts'
import { computeBackoff, decideRetry, type FailedCall } from './retry-policy.ts'

const now = new Date('2026-03-29T00:59:53Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const verdict = (nature: DistributorFault['nature'], more: Partial<FailedCall> & { code?: string } = {}) => {
  const { code = 'X', ...rest } = more
  const fault: DistributorFault = { code, nature, status: 500, message: '', explanation: '', remedy: '' }
  return decideRetry({ fault, attempts: 0, now, ...rest }, () => 1)
}

test('retries a temporary failure eight times, with pauses doubling up to a quarter of an hour', () => {
  const pauses = Array.from({ length: 7 }, (_, attempts) => verdict('transient', { attempts }).nextAt.getTime())
  expect(pauses.map((at) => (at - now.getTime()) / 1000)).toEqual([2, 4, 8, 16, 32, 64, 128])
  expect(verdict('answer', { attempts: 6 })).toMatchObject({ status: 'waiting', counts: true })
  expect(verdict('answer', { attempts: 7 })).toMatchObject({ status: 'failed' })
  expect([8, 9, 30].map((attempts) => computeBackoff(attempts, () => 1))).toEqual([512_000, 900_000, 900_000])
  expect(computeBackoff(3, () => 0.37)).toBe(5_920)
})

test('a quota pauses every call until the given time and does not count as an attempt', () => {
  const retryAt = later(1_713_007)
  const given = { status: 'waiting', nextAt: retryAt, pauseUntil: retryAt, counts: false }
  expect(verdict('quota', { retryAt })).toEqual(given)
  const usual = (code: string, more = {}) => verdict('quota', { code, ...more }).pauseUntil
  expect(usual('Quota Q3 reached')).toEqual(later(1000))
  expect(usual('quota q4 reached')).toEqual(later(3_600_000))
  expect(usual('other')).toEqual(later(60_000))
  // A time in the past is ignored.
  expect(usual('other', { retryAt: now })).toEqual(later(60_000))
})

test('retries refused credentials once, after a pause', () => {
  expect(verdict('auth')).toMatchObject({ status: 'waiting', nextAt: later(30_000), pauseUntil: later(30_000) })
  expect(verdict('auth', { last: 'transient' })).toMatchObject({ status: 'waiting' })
  expect(verdict('auth', { last: 'auth' })).toMatchObject({ status: 'failed' })
})

test('days without data are done; a refused request is final', () => {
  expect(verdict('no-data')).toMatchObject({ status: 'done' })
  expect(verdict('consent')).toMatchObject({ status: 'failed' })
})

test('obeys a retry time to the second for any refusal, without counting an attempt', () => {
  const retryAt = later(754_000)
  expect(verdict('transient', { retryAt, attempts: 7 })).toEqual({
    status: 'waiting',
    nextAt: retryAt,
    pauseUntil: retryAt,
    counts: false,
  })
  expect(verdict('no-data', { retryAt })).toMatchObject({ status: 'done', pauseUntil: retryAt })
  expect(verdict('transient', { retryAt: now })).toMatchObject({ counts: true, nextAt: later(2000) })
})

test('retries for a day a refusal that does not come from the distributor itself', () => {
  const refused = (attempts: number) =>
    decideRetry({ fault: buildDistributorFault('', 403, ''), attempts, now }, () => 1)
  expect(refused(8)).toMatchObject({ status: 'waiting', counts: true, nextAt: later(512_000) })
  expect(refused(103)).toMatchObject({ status: 'waiting', nextAt: later(900_000) })
  expect(refused(104)).toMatchObject({ status: 'failed' })
})
