import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'

test('a certificate made here has an RSA key of 3072 bits, which is as strong as 128 bits of a cipher', async () => {
  const { certificate } = await createSelfSignedCertificate('Voisol', new Date('2026-01-01'), new Date('2031-01-01'))
  expect(new X509Certificate(certificate).publicKey.asymmetricKeyDetails?.modulusLength).toBe(3072)
})
