import { generateKeyPair, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

const generate = promisify(generateKeyPair)

/** DER: a tag, a length, the content. */
function encodeDer(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const hex = content.length.toString(16)
  const length = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
  return Buffer.concat([Buffer.from([tag, 128 + length.length]), length, content])
}
const encodeSequence = (...parts: Uint8Array[]) => encodeDer(0x30, ...parts)
const encodeInteger = (bytes: Uint8Array) => encodeDer(0x02, bytes)

/** sha256WithRSAEncryption, and the common name of a subject. */
const RSA_SHA256 = encodeSequence(Buffer.from('06092a864886f70d01010b', 'hex'), Buffer.from('0500', 'hex'))
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const encodeName = (text: string) =>
  encodeSequence(encodeDer(0x31, encodeSequence(COMMON_NAME, encodeDer(0x0c, Buffer.from(text)))))
const encodeTime = (at: Date) => encodeDer(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]|\.\d+/g, '')}`))

const toPem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`

/** A key pair and a certificate that it signs itself: a name and two dates around a public key, as SAML exchanges them. */
export async function createSelfSignedCertificate(
  name: string,
  from: Date,
  to: Date,
): Promise<{ key: string; certificate: string }> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 3072 })
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const body = encodeSequence(
    encodeDer(0xa0, encodeInteger(Buffer.from([2]))),
    encodeInteger(serial),
    RSA_SHA256,
    encodeName(name),
    encodeSequence(encodeTime(from), encodeTime(to)),
    encodeName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = encodeDer(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: toPem(encodeSequence(body, RSA_SHA256, signature)),
  }
}
