import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, unseal } from './sealing.ts'

const KEY = randomBytes(32).toString('base64')
const CONTENT = randomBytes(2_500_000)

async function* listOf(parts: readonly Uint8Array[]) {
  yield* parts
}
const sealed = () => Array.fromAsync(seal(listOf([CONTENT]), KEY))
const opened = async (parts: readonly Uint8Array[]) =>
  Buffer.concat(await Array.fromAsync(unseal(listOf(parts), KEY))).equals(CONTENT)

test('what was sealed opens again, whole', async () => {
  const parts = await sealed()
  // A head and three pieces.
  expect(parts).toHaveLength(4)
  expect(await opened(parts)).toBe(true)
})

test.each([1, 2, 3])('cut off between two pieces, after %i of what was written, it is refused', async (kept) => {
  await expect(opened((await sealed()).slice(0, kept))).rejects.toThrow('La copie est abîmée')
})

test('pieces that changed places, or came twice, are refused', async () => {
  const [head, one, two, last] = (await sealed()) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
  for (const parts of [
    [head, two, one, last],
    [head, one, one, last],
    [head, one, last],
    [head, one, two, last, last],
  ])
    await expect(opened(parts)).rejects.toThrow('La copie est abîmée')
})
