import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decryptCopy, encryptCopy } from './copy-format.ts'

const KEY = randomBytes(32).toString('base64')
const CONTENT = randomBytes(2_500_000)

async function* listOf(parts: readonly Uint8Array[]) {
  yield* parts
}
const encryptSample = () => Array.fromAsync(encryptCopy(listOf([CONTENT]), KEY))
const isDecryptedSample = async (parts: readonly Uint8Array[]) =>
  Buffer.concat(await Array.fromAsync(decryptCopy(listOf(parts), KEY))).equals(CONTENT)

test('what was sealed opens again, whole', async () => {
  const parts = await encryptSample()
  // A head and three pieces.
  expect(parts).toHaveLength(4)
  expect(await isDecryptedSample(parts)).toBe(true)
})

test.each([1, 2, 3])('cut off between two pieces, after %i of what was written, it is refused', async (kept) => {
  await expect(isDecryptedSample((await encryptSample()).slice(0, kept))).rejects.toThrow('La copie est abîmée')
})

test('pieces that changed places, or came twice, are refused', async () => {
  const [head, one, two, last] = (await encryptSample()) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
  for (const parts of [
    [head, two, one, last],
    [head, one, one, last],
    [head, one, last],
    [head, one, two, last, last],
  ])
    await expect(isDecryptedSample(parts)).rejects.toThrow('La copie est abîmée')
})
