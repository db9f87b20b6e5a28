import { expect, test } from 'vitest'
import { toAppError } from '../http/errors.ts'
import { givingWay } from './giving-way.ts'

const deadlock = () => new Error('Failed query', { cause: Object.assign(new Error('deadlock'), { code: '40P01' }) })

function failing(times: number, error: () => Error) {
  let tries = 0
  const work = async () => {
    tries++
    if (tries <= times) throw error()
    return tries
  }
  return { work, tries: () => tries }
}

test('who has to give way begins anew until there is room', async () => {
  expect(await givingWay(failing(5, deadlock).work)).toBe(6)
})

test('not for ever: it is then asked to come again', async () => {
  const { work, tries } = failing(6, deadlock)
  const error = await givingWay(work).catch((one: unknown) => one)
  expect(tries()).toBe(6)
  expect(toAppError(error)).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 5 })
})

test('any other fault is told at once', async () => {
  const { work, tries } = failing(1, () => new Error('broken'))
  await expect(givingWay(work)).rejects.toThrow('broken')
  expect(tries()).toBe(1)
})
