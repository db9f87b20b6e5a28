import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  scryptSync,
} from 'node:crypto'
import { z } from 'zod'
import { createByteReader } from './byte-reader.ts'
import { CopyFault } from './fault.ts'

const MAGIC = Buffer.from('VOISOL-COPIE-1\n')
const PIECE_BYTES = 1024 * 1024
const TAG_BYTES = 16
/** Of the four bytes before a piece: this one is the last. */
const LAST_PIECE_FLAG = 0x80000000

/** `given`: 32 bytes as they are; `scrypt`: made of a sentence that somebody remembers. */
const SealHeader = z.strictObject({ key: z.enum(['given', 'scrypt']), salt: z.string(), print: z.string() })
type SealHeader = z.infer<typeof SealHeader>

const RAW_KEY_PATTERN = /^[A-Za-z0-9+/]{43}=$/
const deriveMasterKey = (text: string, salt: Buffer) =>
  RAW_KEY_PATTERN.test(text)
    ? Buffer.from(text, 'base64')
    : scryptSync(text, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 })

/** What a key is known by without being shown. */
export const computeSecretFingerprint = (master: Buffer) =>
  createHmac('sha256', master).update('voisol print').digest('hex').slice(0, 12)

/** A copy has a key of its own, so that its pieces can be numbered from nought. */
const deriveCopyKey = (master: Buffer, salt: Buffer) => Buffer.from(hkdfSync('sha256', master, salt, 'voisol copy', 32))
/** What proves that a manifest was written by whoever holds the key. */
export const computeManifestMac = (text: string, content: string) =>
  createHmac('sha256', deriveMasterKey(text, Buffer.from('voisol manifest')))
    .update(content)
    .digest('hex')

function buildNonce(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce.writeUInt8(last ? 1 : 0, 11)
  return nonce
}

function encodeLength(bytes: number, last: boolean): Buffer {
  const part = Buffer.alloc(4)
  part.writeUInt32BE((bytes | (last ? LAST_PIECE_FLAG : 0)) >>> 0)
  return part
}

/** Pieces of one size, the last of which says that it is: what is cut, moved or changed does not open. */
export async function* encryptCopy(source: AsyncIterable<Uint8Array>, text: string): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(32)
  const master = deriveMasterKey(text, salt)
  const about: SealHeader = {
    key: RAW_KEY_PATTERN.test(text) ? 'given' : 'scrypt',
    salt: salt.toString('base64'),
    print: computeSecretFingerprint(master),
  }
  const head = Buffer.from(JSON.stringify(about))
  const key = deriveCopyKey(master, salt)
  const aad = createHash('sha256').update(head).digest()
  let number = 0
  const encryptPiece = (piece: Uint8Array, last: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, buildNonce(number++, last)).setAAD(aad)
    const body = Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
    return Buffer.concat([encodeLength(body.length, last), body])
  }
  yield Buffer.concat([MAGIC, encodeLength(head.length, false), head])
  let pending: Uint8Array = Buffer.alloc(0)
  for await (const gathered of gatherPieces(source)) {
    pending = pending.length ? Buffer.concat([pending, gathered]) : gathered
    for (; pending.length > PIECE_BYTES; pending = pending.subarray(PIECE_BYTES))
      yield encryptPiece(pending.subarray(0, PIECE_BYTES), false)
  }
  yield encryptPiece(pending, true)
}

/** Many small pieces put together once, not one after the other. */
async function* gatherPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const part of source) {
    parts.push(part)
    size += part.length
    if (size < PIECE_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    size = 0
  }
  yield Buffer.concat(parts)
}

const CORRUPT_COPY = 'La copie est abîmée\u00a0: son contenu n’est plus celui qui a été écrit. Prenez-en une autre.'
export const buildCorruptFault = (cause?: unknown) => new CopyFault(CORRUPT_COPY, { cause })

function parseHeader(raw: Uint8Array): SealHeader {
  try {
    return SealHeader.parse(JSON.parse(Buffer.from(raw).toString()))
  } catch (error) {
    throw buildCorruptFault(error)
  }
}

function requireMasterKey({ salt, print, key }: SealHeader, text: string): Buffer {
  const master = deriveMasterKey(text, Buffer.from(salt, 'base64'))
  if (computeSecretFingerprint(master) === print) return master
  const own = RAW_KEY_PATTERN.test(text) ? `, empreinte ${computeSecretFingerprint(master)}` : ''
  const which = key === 'given' ? `d’empreinte ${print}` : `faite d’une phrase (empreinte ${print})`
  throw new CopyFault(
    `Cette copie est chiffrée avec une autre clé, ${which}\u00a0: ce n’est pas celle de BACKUP_KEY${own}. Donnez la clé de cette copie.`,
  )
}

function decryptPiece(body: Uint8Array, key: Buffer, nonce: Buffer, aad: Buffer): Buffer {
  if (body.length < TAG_BYTES) throw buildCorruptFault()
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(aad)
  decipher.setAuthTag(body.subarray(body.length - TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(body.subarray(0, body.length - TAG_BYTES)), decipher.final()])
  } catch (error) {
    throw buildCorruptFault(error)
  }
}

/** The content again, piece by piece as each is proved; a fault where one is not, or where the end is missing. */
export async function* decryptCopy(source: AsyncIterable<Uint8Array>, text: string): AsyncGenerator<Uint8Array> {
  const input = createByteReader(source)
  const magic = await input.take(MAGIC.length)
  if (!magic || !MAGIC.equals(magic)) throw new CopyFault('Ce fichier n’est pas une copie de Voisol.')
  const number = async () => (await input.take(4))?.readUInt32BE()
  const raw = await input.take(Math.min((await number()) ?? 0, PIECE_BYTES))
  if (!raw?.length) throw buildCorruptFault()
  const head = parseHeader(raw)
  const key = deriveCopyKey(requireMasterKey(head, text), Buffer.from(head.salt, 'base64'))
  const aad = createHash('sha256').update(raw).digest()
  for (let at = 0; ; at++) {
    const lengthField = await number()
    if (lengthField === undefined) throw buildCorruptFault()
    const last = lengthField >= LAST_PIECE_FLAG
    const size = last ? lengthField - LAST_PIECE_FLAG : lengthField
    const body = size <= PIECE_BYTES + TAG_BYTES ? await input.take(size) : undefined
    if (!body) throw buildCorruptFault()
    yield decryptPiece(body, key, buildNonce(at, last), aad)
    if (last) break
  }
  if ((await input.take(1)) !== undefined) throw buildCorruptFault()
}
