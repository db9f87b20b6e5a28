import { X509Certificate } from 'node:crypto'
import type { SsoCertificate } from '@voisol/contract/sso'
import type { z } from 'zod'
import { frenchDay } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'
import { dayOf } from '../../../today.ts'

type Shown = z.infer<typeof SsoCertificate>

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const LEAST_BITS = 2048
const MOST = 5

const wrap = (base64: string) => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`
/** Metadata hold certificates without their first and last line. */
const blocksOf = (text: string) => (text.includes('-----BEGIN') ? (text.match(BLOCK) ?? []) : [wrap(text.trim())])

function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw fieldError(
      'certificates',
      'Ce certificat n’est pas lisible\u00a0: collez-le en entier, de «\u00a0-----BEGIN CERTIFICATE-----\u00a0» à «\u00a0-----END CERTIFICATE-----\u00a0».',
    )
  }
}

/** The certificates of a text, each as it will be kept. One that has lapsed, or is too weak to prove anything, is refused. */
export function readCertificates(text: string): string[] {
  if (!text.trim()) return []
  const read = blocksOf(text).map(parse)
  if (!read.length || read.length > MOST)
    throw fieldError('certificates', `De un à ${MOST} certificats sont attendus, l’un après l’autre.`)
  for (const one of read) requireStrong(one)
  return read.map((one) => one.toString())
}

function requireStrong(one: X509Certificate) {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = one.publicKey
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < LEAST_BITS)
    throw fieldError('certificates', `Une clé RSA d’au moins ${LEAST_BITS} bits est attendue dans le certificat.`)
  if (hasLapsed(one))
    throw fieldError(
      'certificates',
      `Ce certificat a expiré le ${frenchDay(dayOf(one.validToDate))}\u00a0: demandez le nouveau au fournisseur d’identité.`,
    )
}

const hasLapsed = (one: X509Certificate) => one.validToDate.getTime() <= Date.now()
/** Those of the kept ones that still prove something. */
export const liveCertificates = (kept: readonly string[]) => kept.filter((pem) => !hasLapsed(new X509Certificate(pem)))

export const showCertificate = (pem: string): Shown => {
  const one = new X509Certificate(pem)
  return {
    subject: one.subject.replaceAll('\n', ', ') || 'sans nom',
    expiresOn: dayOf(one.validToDate),
    fingerprint: one.fingerprint256,
  }
}
