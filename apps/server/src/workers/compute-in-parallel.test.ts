import { expect, test } from 'vitest'
import { computeInParallel } from './compute-in-parallel.ts'

const parts = [0, 1, 2, 3, 4, 5, 6]
const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

test('results are in the order of the parts, whichever ends first', async () => {
  const ends: (() => void)[] = []
  const all = computeInParallel(parts.slice(0, 3), async (part) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    ends.push(() => resolve(`part ${part}`))
    return { done: promise }
  })
  while (ends.length < 3) await tick()
  for (const end of ends.toReversed()) end()
  expect(await all).toEqual(['part 0', 'part 1', 'part 2'])
})

test('at most four parts run at once, and only the first may be refused for a full queue', async () => {
  let [working, most] = [0, 0]
  const patience: boolean[] = []
  const work = async (part: number) => {
    most = Math.max(most, ++working)
    for (let n = 0; n < 5; n++) await tick()
    working--
    return part
  }
  const all = await computeInParallel(parts, async (part, { patient }) => {
    patience.push(patient)
    return { done: work(part) }
  })
  expect(all).toEqual(parts)
  expect(most).toBe(4)
  expect(patience).toEqual([false, true, true, true, true, true, true])
})

test('the first failure is reported, and no further part starts', async () => {
  const begun: number[] = []
  const all = computeInParallel(parts, async (part) => {
    begun.push(part)
    return { done: part === 1 ? Promise.reject(new RangeError('the second')) : Promise.resolve(part) }
  })
  await expect(all).rejects.toThrow('the second')
  expect(begun).toEqual([0, 1, 2, 3, 4])
})

test('a part that cannot be read fails', async () => {
  const all = computeInParallel(parts, async (part) => {
    if (part === 2) throw new Error('no such month')
    return { done: Promise.resolve(part) }
  })
  await expect(all).rejects.toThrow('no such month')
})
