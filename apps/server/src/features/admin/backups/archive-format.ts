import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { Day } from '@voisol/contract/primitives'
import { z } from 'zod'
import type { Secrets } from '../../../secrets.ts'

/** Signed since the second; an archive of the first is read as one of an unknown installation. */
export const ARCHIVE_FORMAT = 2
export const DESCRIPTION_FILE = 'copie.json'
export const COMPANY_FILE = 'organisation.json'
export const DIGESTS_FILE = 'empreintes.json'
export const SIGNATURE_FILE = 'signature.json'

/** The null character and its like, and halves of characters, cannot be stored. */
const isPlainText = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text)

export const ArchiveDescription = z.object({
  format: z.int().min(1),
  version: z.string().max(60).refine(isPlainText),
  madeOn: Day.optional(),
})
export const CompanyName = z.object({ name: z.string().max(200).refine(isPlainText) })
/** The SHA-256 of every other entry, and the rows of those that are tables: what the signature covers. */
export const Digests = z.strictObject({
  entries: z.record(
    z.string().max(600),
    z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), rows: z.int().min(0).optional() }),
  ),
})
export type Digests = z.infer<typeof Digests>
export const Signature = z.strictObject({ publicKey: z.string().max(60), signature: z.string().max(120) })

const TABLE_PART = /^donnees\/([a-z_]{1,60})\.\d{3,6}\.jsonl$/
const FILE_CONTENT = /^fichiers\/([0-9a-f]{64})\//
export const parseEntryTable = (name: string) => TABLE_PART.exec(name)?.[1]
export const parseEntryHash = (name: string) => FILE_CONTENT.exec(name)?.[1]

/** Entries of an archive: two for each part of a table, and one for each file of the company. */
export const MAX_ENTRIES = 100_000
/** Text of tables, once unpacked, that one import reads in all, and in one part. */
export const MAX_TABLE_BYTES = 512 * 1024 * 1024
export const MAX_PART_BYTES = 64 * 1024 * 1024
/** Contents of files that one import writes, and of one of them. */
export const MAX_FILE_BYTES = 400 * 1024 * 1024
export const MAX_ONE_FILE_BYTES = 32 * 1024 * 1024
/** Real readings pack about ten times smaller. Small entries may say anything: they cost nothing. */
export const MAX_RATIO = 300
export const SMALL_ENTRY_BYTES = 1024 * 1024
/** Beside what any archive may unpack to, so many times its own size: a small upload stays a small import. */
const FREE_BYTES = 16 * 1024 * 1024
const MAX_TOTAL_RATIO = 50
export const getMaxUnpackedBytes = (archiveBytes: number, maxBytes: number) =>
  Math.min(maxBytes, FREE_BYTES + MAX_TOTAL_RATIO * archiveBytes)
export const MAX_LINE_CHARACTERS = 4 * 1024 * 1024
/** Documents that come in as taken over, each written beside its account. */
export const MAX_DOCUMENTS = 50_000
/** What is given to the database at once. */
export const BATCH_BYTES = 256 * 1024

/** What stands before the bytes of an Ed25519 key where Node takes one: PKCS #8 for the seed, SPKI for the public key. */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
/** A signature of ours on anything else is none on an archive. */
const PURPOSE = 'voisol company archive\n'

const toSignedBytes = (text: string) => Buffer.from(PURPOSE + text)
const toPrivateKey = (seed: Buffer) =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, seed]), format: 'der', type: 'pkcs8' })
const toPublicKey = (base64: string) =>
  createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, Buffer.from(base64, 'base64')]), format: 'der', type: 'spki' })
const exportPublicKey = (key: KeyObject) =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length).toString('base64')

/** By which archives of this installation are known: its present key first, then those of former master keys. */
export const getOwnPublicKeys = (secrets: Secrets): string[] =>
  secrets.archiveSeeds().map((seed) => exportPublicKey(toPrivateKey(seed)))

type ArchiveSignature = { publicKey: string; signature: string }

export function signArchive(secrets: Secrets, text: string): ArchiveSignature {
  const [seed] = secrets.archiveSeeds()
  if (!seed) throw new Error('no key signs archives')
  const key = toPrivateKey(seed)
  return { publicKey: exportPublicKey(key), signature: sign(null, toSignedBytes(text), key).toString('base64') }
}

export function isSignedBy(text: string, { publicKey, signature }: ArchiveSignature): boolean {
  try {
    return verify(null, toSignedBytes(text), toPublicKey(publicKey), Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
