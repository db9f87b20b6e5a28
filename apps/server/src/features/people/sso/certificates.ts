import { X509Certificate } from 'node:crypto'
import type { SsoCertificate } from '@voisol/contract/sso'
import type { z } from 'zod'
import { formatFrenchDay } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'
import { toParisDay } from '../../../today.ts'

type CertificateView = z.infer<typeof SsoCertificate>

const CERTIFICATE_BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const MIN_KEY_BITS = 2048
const MAX_CERTIFICATES = 5

const toPem = (base64: string) => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`
/** Metadata hold certificates without their first and last line. */
const splitCertificates = (text: string) =>
  text.includes('-----BEGIN') ? (text.match(CERTIFICATE_BLOCK) ?? []) : [toPem(text.trim())]

function parseCertificate(pem: string): X509Certificate {
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
export function parseCertificates(text: string): string[] {
  if (!text.trim()) return []
  const read = splitCertificates(text).map(parseCertificate)
  if (!read.length || read.length > MAX_CERTIFICATES)
    throw fieldError('certificates', `De un à ${MAX_CERTIFICATES} certificats sont attendus, l’un après l’autre.`)
  for (const one of read) requireStrongCertificate(one)
  return read.map((one) => one.toString())
}

function requireStrongCertificate(one: X509Certificate) {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = one.publicKey
  if (type !== 'rsa' || (details?.modulusLength ?? 0) < MIN_KEY_BITS)
    throw fieldError('certificates', `Une clé RSA d’au moins ${MIN_KEY_BITS} bits est attendue dans le certificat.`)
  if (isExpired(one))
    throw fieldError(
      'certificates',
      `Ce certificat a expiré le ${formatFrenchDay(toParisDay(one.validToDate))}\u00a0: demandez le nouveau au fournisseur d’identité.`,
    )
}

const isExpired = (one: X509Certificate) => one.validToDate.getTime() <= Date.now()
/** Those of the kept ones that still prove something. */
export const filterValidCertificates = (kept: readonly string[]) =>
  kept.filter((pem) => !isExpired(new X509Certificate(pem)))

export const toCertificateView = (pem: string): CertificateView => {
  const one = new X509Certificate(pem)
  return {
    subject: one.subject.replaceAll('\n', ', ') || 'sans nom',
    expiresOn: toParisDay(one.validToDate),
    fingerprint: one.fingerprint256,
  }
}
