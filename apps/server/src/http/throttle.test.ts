import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { useServer } from '../../test/server.ts'
import { throttles } from '../db/schema/index.ts'
import { AppError } from './errors.ts'
import { clearThrottle, refundAttempts, throttle } from './throttle.ts'

const server = useServer()
const WINDOW = 900
const attempt = async (key: string, limit = 3) => {
  try {
    await throttle(server.db, key, limit, WINDOW)
  } catch (error) {
    return error instanceof AppError ? error.retryAfter : error
  }
  return 'allowed'
}
const times = async (key: string, count: number) => {
  const answers = []
  for (let n = 0; n < count; n++) answers.push((await attempt(key)) === 'allowed')
  return answers
}
const age = (key: string, left: string) =>
  server.db
    .update(throttles)
    .set({ resetsAt: sql`now() + ${left}::interval` })
    .where(eq(throttles.key, key))

test('attempts up to the limit pass, further ones are refused, other keys are not affected', async () => {
  expect(await times('limit', 5)).toEqual([true, true, true, false, false])
  expect(await attempt('other')).toBe('allowed')
})

test('a refusal says when the window ends, and ends with it', async () => {
  await times('window', 3)
  expect(await attempt('window')).toBe(WINDOW)
  await age('window', '417 seconds')
  expect(await attempt('window')).toBe(417)
  await age('window', '0 seconds')
  expect(await times('window', 4)).toEqual([true, true, true, false])
  expect(await attempt('window')).toBe(WINDOW)
})

test('a window in the future, after the clock was set back, has no effect', async () => {
  await times('jumped', 4)
  await age('jumped', '75 minutes')
  expect(await times('jumped', 4)).toEqual([true, true, true, false])
  expect(await attempt('jumped')).toBe(WINDOW)
})

test('a success gives back one attempt, never more than there were', async () => {
  await times('forgiven', 3)
  await refundAttempts(server.db, 'forgiven')
  expect(await times('forgiven', 2)).toEqual([true, false])
  await clearThrottle(server.db, 'forgiven')
  await attempt('forgiven')
  for (let n = 0; n < 4; n++) await refundAttempts(server.db, 'forgiven')
  expect(await times('forgiven', 4)).toEqual([true, true, true, false])
})
