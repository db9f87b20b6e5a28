import { z } from 'zod'
import { BILLING, ISSUED } from './billing.ts'
import type { ArchiveColumn, ArchiveTable, Ignored, Reference, SealedIban } from './columns.ts'
import { Author, ignoreColumn, OWN } from './columns.ts'
import { DISTRIBUTOR } from './distributor.ts'
import { ENERGY } from './energy.ts'
import { EXCLUDED_TABLES } from './excluded-tables.ts'
import { PARTIES } from './parties.ts'
import { PEOPLE } from './people.ts'
import { PROJECTS, SETTINGS_TABLES } from './settings.ts'

export { ISSUED, ISSUED_LABELS } from './billing.ts'
export type { ArchiveColumn, ArchiveRow, ArchiveTable } from './columns.ts'
export { EXCLUDED_TABLES } from './excluded-tables.ts'

/** Rows of one table that an archive may hold, where the table says nothing else. */
export const MAX_ROWS = 300_000

/** The contents behind these rows come from the archive as well, and only for rows that something brought names. */
const FILES: Record<string, ArchiveTable> = {
  files: {
    label: 'Fichiers',
    from: 'trusted',
    columns: {
      ...OWN,
      name: Author.min(1).max(200),
      media_type: ignoreColumn('it follows from the name'),
      size: z
        .int()
        .min(0)
        .max(200 * 1024 * 1024),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    },
  },
}

/**
 * What the archive of a company may bring, table by table and column by column. A table or a column that is absent here is
 * not imported, and a test asks for a word on every one of them.
 */
export const COMPANY_ARCHIVE: Record<string, ArchiveTable> = {
  ...FILES,
  ...PEOPLE,
  ...ENERGY,
  ...PARTIES,
  ...BILLING,
  ...DISTRIBUTOR,
  ...PROJECTS,
  ...SETTINGS_TABLES,
}

export const isReference = (column: ArchiveColumn): column is Reference => 'refersTo' in column
export const isSealedIban = (column: ArchiveColumn): column is SealedIban => 'sealedFor' in column
export const isIgnored = (column: ArchiveColumn): column is Ignored => 'ignored' in column

/** Why a table is never imported; undefined where it is, or where nothing was said of it. */
export const findExclusion = (table: string) => EXCLUDED_TABLES.find(({ tables }) => tables.includes(table))

/** Every table that something is said of. */
export const declaredTables = (): string[] => [
  ...Object.keys(COMPANY_ARCHIVE),
  ...Object.keys(ISSUED),
  ...EXCLUDED_TABLES.flatMap(({ tables }) => tables),
]

/** The tables that are written, each after those it refers to. */
export function importOrder(): string[] {
  const ordered: string[] = []
  const visit = (name: string): void => {
    if (ordered.includes(name)) return
    const { columns = {}, idsInValues = {}, after = [] } = COMPANY_ARCHIVE[name] ?? {}
    for (const column of Object.values(columns)) if (isReference(column)) visit(column.refersTo)
    for (const table of [...Object.values(idsInValues), ...after]) visit(table)
    ordered.push(name)
  }
  for (const name of Object.keys(COMPANY_ARCHIVE)) visit(name)
  return ordered
}
