import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecrets } from '../../../secrets.ts'
import { getOwnPublicKeys, isSignedBy, signArchive } from './archive-format.ts'

const MASTER = randomBytes(32)
const here = createSecrets(MASTER)
const TEXT = '{"entries":{}}'

test('a signature holds for its text and its key alone', () => {
  const signature = signArchive(here, TEXT)
  expect(isSignedBy(TEXT, signature)).toBe(true)
  expect(isSignedBy(`${TEXT} `, signature)).toBe(false)
  const [publicKey = ''] = getOwnPublicKeys(createSecrets(randomBytes(32)))
  expect(isSignedBy(TEXT, { ...signature, publicKey })).toBe(false)
  for (const publicKey of ['', 'AAAA', 'é'.repeat(44)])
    expect(isSignedBy(TEXT, { ...signature, publicKey })).toBe(false)
})

test('once the master key was changed, archives signed before it are still those of this installation', () => {
  const { publicKey } = signArchive(here, TEXT)
  const later = createSecrets(randomBytes(32), [MASTER])
  expect(getOwnPublicKeys(later)).toContain(publicKey)
  expect(getOwnPublicKeys(later)[0]).not.toBe(publicKey)
  expect(signArchive(later, TEXT).publicKey).toBe(getOwnPublicKeys(later)[0])
})
