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
import { bytesOf } from './byte-reader.ts'
import { CopyFault } from './fault.ts'

const MAGIC = Buffer.from('VOISOL-COPIE-1\n')
const PIECE = 1024 * 1024
const TAG = 16
/** Of the four bytes before a piece: this one is the last. */
const LAST = 0x80000000

/** `given`: 32 bytes as they are; `scrypt`: made of a sentence that somebody remembers. */
const Head = z.strictObject({ key: z.enum(['given', 'scrypt']), salt: z.string(), print: z.string() })
type Head = z.infer<typeof Head>

const GIVEN = /^[A-Za-z0-9+/]{43}=$/
const masterOf = (text: string, salt: Buffer) =>
  GIVEN.test(text)
    ? Buffer.from(text, 'base64')
    : scryptSync(text, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 })

/** What a key is known by without being shown. */
export const printOf = (master: Buffer) =>
  createHmac('sha256', master).update('voisol print').digest('hex').slice(0, 12)

/** A copy has a key of its own, so that its pieces can be numbered from nought. */
const keyOf = (master: Buffer, salt: Buffer) => Buffer.from(hkdfSync('sha256', master, salt, 'voisol copy', 32))
/** What proves that a manifest was written by whoever holds the key. */
export const macOf = (text: string, content: string) =>
  createHmac('sha256', masterOf(text, Buffer.from('voisol manifest')))
    .update(content)
    .digest('hex')

function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce.writeUInt8(last ? 1 : 0, 11)
  return nonce
}

function length(bytes: number, last: boolean): Buffer {
  const part = Buffer.alloc(4)
  part.writeUInt32BE((bytes | (last ? LAST : 0)) >>> 0)
  return part
}

/** Pieces of one size, the last of which says that it is: what is cut, moved or changed does not open. */
export async function* seal(source: AsyncIterable<Uint8Array>, text: string): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(32)
  const master = masterOf(text, salt)
  const about: Head = {
    key: GIVEN.test(text) ? 'given' : 'scrypt',
    salt: salt.toString('base64'),
    print: printOf(master),
  }
  const head = Buffer.from(JSON.stringify(about))
  const key = keyOf(master, salt)
  const aad = createHash('sha256').update(head).digest()
  let number = 0
  const sealed = (piece: Uint8Array, last: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, last)).setAAD(aad)
    const body = Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
    return Buffer.concat([length(body.length, last), body])
  }
  yield Buffer.concat([MAGIC, length(head.length, false), head])
  let held: Uint8Array = Buffer.alloc(0)
  for await (const gathered of gather(source)) {
    held = held.length ? Buffer.concat([held, gathered]) : gathered
    for (; held.length > PIECE; held = held.subarray(PIECE)) yield sealed(held.subarray(0, PIECE), false)
  }
  yield sealed(held, true)
}

/** Many small pieces put together once, not one after the other. */
async function* gather(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const part of source) {
    parts.push(part)
    size += part.length
    if (size < PIECE) continue
    yield Buffer.concat(parts)
    parts = []
    size = 0
  }
  yield Buffer.concat(parts)
}

const CORRUPT = 'La copie est abîmée\u00a0: son contenu n’est plus celui qui a été écrit. Prenez-en une autre.'
export const corrupt = (cause?: unknown) => new CopyFault(CORRUPT, { cause })

function readHead(raw: Uint8Array): Head {
  try {
    return Head.parse(JSON.parse(Buffer.from(raw).toString()))
  } catch (error) {
    throw corrupt(error)
  }
}

function masterFor({ salt, print, key }: Head, text: string): Buffer {
  const master = masterOf(text, Buffer.from(salt, 'base64'))
  if (printOf(master) === print) return master
  const own = GIVEN.test(text) ? `, empreinte ${printOf(master)}` : ''
  const which = key === 'given' ? `d’empreinte ${print}` : `faite d’une phrase (empreinte ${print})`
  throw new CopyFault(
    `Cette copie est chiffrée avec une autre clé, ${which}\u00a0: ce n’est pas celle de BACKUP_KEY${own}. Donnez la clé de cette copie.`,
  )
}

function open(body: Uint8Array, key: Buffer, nonce: Buffer, aad: Buffer): Buffer {
  if (body.length < TAG) throw corrupt()
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(aad)
  decipher.setAuthTag(body.subarray(body.length - TAG))
  try {
    return Buffer.concat([decipher.update(body.subarray(0, body.length - TAG)), decipher.final()])
  } catch (error) {
    throw corrupt(error)
  }
}

/** The content again, piece by piece as each is proved; a fault where one is not, or where the end is missing. */
export async function* unseal(source: AsyncIterable<Uint8Array>, text: string): AsyncGenerator<Uint8Array> {
  const input = bytesOf(source)
  const magic = await input.take(MAGIC.length)
  if (!magic || !MAGIC.equals(magic)) throw new CopyFault('Ce fichier n’est pas une copie de Voisol.')
  const number = async () => (await input.take(4))?.readUInt32BE()
  const raw = await input.take(Math.min((await number()) ?? 0, PIECE))
  if (!raw?.length) throw corrupt()
  const head = readHead(raw)
  const key = keyOf(masterFor(head, text), Buffer.from(head.salt, 'base64'))
  const aad = createHash('sha256').update(raw).digest()
  for (let at = 0; ; at++) {
    const said = await number()
    if (said === undefined) throw corrupt()
    const last = said >= LAST
    const size = last ? said - LAST : said
    const body = size <= PIECE + TAG ? await input.take(size) : undefined
    if (!body) throw corrupt()
    yield open(body, key, nonceOf(at, last), aad)
    if (last) break
  }
  if ((await input.take(1)) !== undefined) throw corrupt()
}
