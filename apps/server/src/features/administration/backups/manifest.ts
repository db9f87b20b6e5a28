import { z } from 'zod'

/** How copies are written; a reader knows those up to its own. */
export const COPY_FORMAT = 1

const Count = z.int().min(0)
const Hash = z.string().regex(/^[0-9a-f]{64}$/)
export const CopiedTable = z.object({ name: z.string(), rows: Count, bytes: Count, hash: Hash })

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
