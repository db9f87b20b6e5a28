import { createHash } from 'node:crypto'
import { CREATED_AT } from './archives.ts'

export type ArchiveRows = Record<string, Record<string, unknown>[]>
/** What distinguishes the archive of a company from that of another one. */
export type ArchiveIdentity = {
  /** Two archives of one family have the same ids, row by row. */
  family: string
  /** Begins every free text, so that each of them can be recognised wherever it is shown. */
  mark: string
  /** The first eight digits of its points. */
  prmStart: string
  iban: string
}

/** The id that a row has in the archives of a family. */
export function buildFamilyId(family: string, name: string): string {
  const hex = hashText(`${family} ${name}`)
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

export const hashText = (text: string) => createHash('sha256').update(text).digest('hex')
export const ARCHIVED_DAY = '2025-07-01'
export const ARCHIVED_MONTH = ARCHIVED_DAY

/** What the rows of one archive share: ids by name, texts that begin with its mark, columns that most tables have. */
export function createRowParts({ family, mark }: ArchiveIdentity) {
  const id = (name: string) => buildFamilyId(family, name)
  const text = (what: string) => `${mark} ${what}`
  const own = (name: string) => ({ id: id(name), created_at: CREATED_AT })
  const versioned = (name: string) => ({ ...own(name), version: 1 })
  const email = `${mark.toLowerCase()}@exemple.fr`
  const street = { address: text('rue'), postal_code: '69003', city: text('ville') }
  return { id, text, own, versioned, email, street }
}
