import { expect, test } from 'vitest'
import { toAppError } from '../http/errors.ts'
import { retryOnDeadlock } from './database-errors.ts'

const deadlock = () => new Error('Failed query', { cause: Object.assign(new Error('deadlock'), { code: '40P01' }) })

function createFailingWork(times: number, error: () => Error) {
  let tries = 0
  const work = async () => {
    tries++
    if (tries <= times) throw error()
    return tries
  }
  return { work, tries: () => tries }
}

test('a deadlock victim is retried until it succeeds', async () => {
  expect(await retryOnDeadlock(createFailingWork(5, deadlock).work)).toBe(6)
})

test('after too many deadlocks the caller is asked to retry later', async () => {
  const { work, tries } = createFailingWork(6, deadlock)
  const error = await retryOnDeadlock(work).catch((one: unknown) => one)
  expect(tries()).toBe(6)
  expect(toAppError(error)).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 5 })
})

test('any other error is thrown at once', async () => {
  const { work, tries } = createFailingWork(1, () => new Error('broken'))
  await expect(retryOnDeadlock(work)).rejects.toThrow('broken')
  expect(tries()).toBe(1)
})
