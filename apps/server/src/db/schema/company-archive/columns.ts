import { Day, Id, Instant } from '@voisol/contract/primitives'
import { z } from 'zod'

/** A column that names a row of another table: it must stand in the same archive. */
export type Reference = { refersTo: string; optional: boolean }
/** An account number, in clear in the archive: checked, then sealed again for this installation under `place`. */
export type SealedIban = { sealedFor: string; optional: boolean }
/** A column whose value in the archive is ignored: the table's default holds, or what the import computes. */
export type Ignored = { ignored: string }
export type ArchiveColumn = z.ZodType | Reference | SealedIban | Ignored

export type ArchiveRow = Record<string, unknown>
/** What an archive that nobody trusted signed may bring of a table: no more than a file import could. */
type FileImport = {
  /** The columns that a file import fills; of every other one the default holds. */
  columns: string[]
  /** Columns that a file import sets itself. */
  set?: () => ArchiveRow
  /** Rows that stay behind. */
  skip?: (row: ArchiveRow) => boolean
}
export type ArchiveTable = {
  /** What its rows are called on the screen. */
  label: string
  /** What a file import could bring as well comes from any archive; the rest only from one whose signature is trusted. */
  from: 'trusted' | FileImport
  columns: Record<string, ArchiveColumn>
  /** What columns must say together, as a sentence where they do not. */
  check?: (row: ArchiveRow) => string | undefined
  /** References inside the value of a column: the table that each path names, with `*` for every item of a list. */
  idsInValues?: Record<string, string>
  /** References to one table or another, as other columns say. */
  refersTo?: (row: ArchiveRow) => [table: string, id: string][]
  /** Tables that such references need to be read before. */
  after?: string[]
  /** What follows from other columns, computed again instead of believed. */
  derive?: (row: ArchiveRow) => ArchiveRow
  maxRows?: number
}
/** Tables that an archive never brings, with the reason that the person who imports it reads. */
export type ExcludedTables = {
  label: string
  why: string
  /** The reason where the signature of the archive is not trusted, if it is another one. */
  whyUntrusted?: string
  tables: string[]
}

export const refersTo = (table: string): Reference => ({ refersTo: table, optional: false })
export const mayReferTo = (table: string): Reference => ({ refersTo: table, optional: true })
export const ignoreColumn = (why: string): Ignored => ({ ignored: why })
export const sealedIban = (place: string, optional = true): SealedIban => ({ sealedFor: place, optional })

export const HERE = 'it is of people or files of the installation that wrote it'
export const COMPUTED = 'it follows from the other columns'

/** The columns that most tables share. */
export const OWN = { id: Id, created_at: Instant }
export const VERSIONED = { ...OWN, version: z.int().min(1).max(1_000_000_000) }
/** Who did something, as a text: no account is named. */
export const Author = z.string().max(320)
export const Count = z.int().min(0).max(2_000_000_000)
export const Energy = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
export const Cents = z.int().min(0).max(1_000_000_000_000)
export const Hash = z.string().regex(/^[0-9a-f]{64}$/)
export const Label = z.string().max(60)
export const Month = Day.refine((day) => day.endsWith('-01'), 'Le premier jour d’un mois est attendu.')

/** Bytes as PostgreSQL writes them in JSON. */
export const bytes = (max: number) =>
  z
    .string()
    .max(2 + 2 * max)
    .regex(/^\\x(?:[0-9a-f]{2})*$/, 'Des octets en hexadécimal sont attendus.')
export const toBytes = (hex: unknown): Buffer => Buffer.from(String(hex).slice(2), 'hex')

/** Little-endian 32-bit integers within bounds. */
export function readIntegers(hex: unknown, max: number): Int32Array | undefined {
  const raw = toBytes(hex)
  if (raw.length % 4) return undefined
  const values = Int32Array.from({ length: raw.length / 4 }, (_, at) => raw.readInt32LE(at * 4))
  return values.every((value) => value >= -1 && value <= max) ? values : undefined
}

export const isAfter = (from: string, to: string, message: string) => (row: ArchiveRow) =>
  row[from] === null || row[to] === null || String(row[to]) > String(row[from]) ? undefined : message

const toFieldName = (column: string) => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The rules that a contract states over several fields at once, which the shape of its fields alone leaves out. */
export const conformsTo = (contract: z.ZodObject) => (row: ArchiveRow) => {
  const fields = Object.entries(row).map(([column, value]) => [toFieldName(column), value] as const)
  const known = fields.filter(([name]) => name in contract.shape)
  return contract.safeParse(Object.fromEntries(known)).error?.issues[0]?.message
}
