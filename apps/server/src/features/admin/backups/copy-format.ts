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

/** What is wrong with a copy, or with where it is to go, in a sentence for whoever asked. */
export class CopyFault extends Error {
  override name = 'CopyFault'
}

const MAX_FAILURE_CHARACTERS = 500
/** As it can be stored and read: a sentence may repeat a name that an uploaded archive chose. */
export const shortenFailure = (failure: string): string =>
  failure
    .slice(0, MAX_FAILURE_CHARACTERS)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')

/** How copies are written; a reader knows those up to its own. */
export const COPY_FORMAT = 1

const Count = z.int().min(0)
const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const CopiedTable = z.object({ name: z.string(), rows: Count, bytes: Count, hash: Hash })

/** What a copy holds. Nothing in it tells of a person: it lies beside the copy, readable by who keeps them. */
export const Manifest = z.object({
  format: z.int(),
  name: z.string(),
  madeAt: z.iso.datetime(),
  /** Of Voisol and of PostgreSQL. */
  version: z.string(),
  postgres: z.string(),
  /** The migrations the database had seen, as its journal dates them. */
  migrations: z.array(z.int()),
  /** By which the master key of sealed secrets is known, which is not in the copy. */
  secretPrint: z.string(),
  tables: z.array(CopiedTable),
  sequences: z.array(z.object({ name: z.string(), value: z.int() })),
  files: z.object({
    count: Count,
    bytes: Count,
    /** Keys that a record names and the store did not have: such a copy is incomplete. */
    missing: z.array(z.string()),
    /** Keys that were erased while the copy was made, with their record. */
    erased: z.array(z.string()).optional(),
  }),
  /** Jobs that waited: the queue is not copied. */
  waiting: Count,
})
export type Manifest = z.infer<typeof Manifest>

/** The manifest as it lies beside its copy, written last: a copy without it is not whole. */
export const SignedManifest = z.object({
  manifest: Manifest,
  content: z.object({ bytes: Count, hash: Hash }),
  mac: z.string(),
})
export type SignedManifest = z.infer<typeof SignedManifest>

export const countCopiedRows = ({ tables }: Manifest) => tables.reduce((sum, { rows }) => sum + rows, 0)
/** Whether every file that a record names is in it. */
export const isCopyComplete = ({ files }: Manifest) => files.missing.length === 0
export const toSignedManifestText = ({ manifest, content }: Omit<SignedManifest, 'mac'>) =>
  JSON.stringify({ manifest, content })

/** What the packing hands on at once: by its own 16 kB a copy is mostly the passing on of pieces. */
export const CHUNK_BYTES = 256 * 1024

/** Takes from a stream of pieces as many bytes as are asked for; undefined where it ends before. */
function createByteReader(source: AsyncIterable<Uint8Array>) {
  const pieces = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)
  const fillBuffer = async (size: number) => {
    const parts = [buffered]
    let bufferedBytes = buffered.length
    while (bufferedBytes < size) {
      const { value, done } = await pieces.next()
      if (done) break
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
      bufferedBytes += value.byteLength
    }
    buffered = parts.length > 1 ? Buffer.concat(parts) : buffered
  }
  return {
    async take(size: number): Promise<Buffer | undefined> {
      if (buffered.length < size) await fillBuffer(size)
      if (buffered.length < size) return undefined
      const taken = buffered.subarray(0, size)
      buffered = buffered.subarray(size)
      return taken
    },
  }
}

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

/** What follows in a copy: the rows of a table, a file of the store, or at the very end what all of it was. */
const SectionHeader = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('file'), key: z.string(), mediaType: z.string() }),
  z.strictObject({ kind: z.literal('manifest') }),
])
type SectionHeader = z.infer<typeof SectionHeader>
export type Section = { head: SectionHeader; body: AsyncIterable<Uint8Array> }

const MAX_HEADER_BYTES = 1024 * 1024
const MAX_PIECE_BYTES = 64 * 1024 * 1024

function encodeSize(bytes: number): Buffer {
  const part = Buffer.alloc(4)
  part.writeUInt32BE(bytes)
  return part
}

export async function* writeSection(head: SectionHeader, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const text = Buffer.from(JSON.stringify(head))
  yield Buffer.concat([encodeSize(text.length), text])
  for await (const piece of body) {
    if (!piece.length) continue
    yield encodeSize(piece.length)
    yield piece
  }
  yield encodeSize(0)
}

/** The sections in their order; what of one is left unread is passed over. */
export async function* readSections(source: AsyncIterable<Uint8Array>): AsyncGenerator<Section> {
  const input = createByteReader(source)
  const number = async () => (await input.take(4))?.readUInt32BE()
  for (let bytes = await number(); bytes !== undefined; bytes = await number()) {
    const text = bytes <= MAX_HEADER_BYTES ? await input.take(bytes) : undefined
    if (!text) throw buildCorruptFault()
    const body = readPieces(input, number)
    yield { head: SectionHeader.parse(JSON.parse(text.toString())), body }
    for await (const _ of body);
  }
}

async function* readPieces(
  input: ReturnType<typeof createByteReader>,
  number: () => Promise<number | undefined>,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = await number()
    if (bytes === 0) return
    const piece = bytes !== undefined && bytes <= MAX_PIECE_BYTES ? await input.take(bytes) : undefined
    if (!piece) throw buildCorruptFault()
    yield piece
  }
}
