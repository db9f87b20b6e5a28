import { Day } from '@voisol/contract/primitives'
import { z } from 'zod'

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
