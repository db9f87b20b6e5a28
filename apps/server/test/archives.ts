import { createHash } from 'node:crypto'
import { COMPANY_ARCHIVE, isIgnored, isSealedIban } from '../src/db/schema/company-archive/company-archive.ts'
import { DIGESTS_FILE, SIGNATURE_FILE, signArchive } from '../src/features/admin/backups/archive-format.ts'
import { quoteIdentifier } from '../src/features/admin/backups/company-export.ts'
import { createZipStream, readZip, type ZipEntryInput } from '../src/files/zip.ts'
import type { Secrets } from '../src/secrets.ts'
import { makeCompany } from './factories.ts'
import { makeOperation } from './factories-energy.ts'
import type { RunningServer } from './server.ts'

/** Operations in service have a number, which the factories leave out. */
export const numberOperations = (query: (text: string, values: unknown[]) => Promise<unknown>, companyId: number) =>
  query(
    `update operations o set acc_number = 'ACC' || lpad(n::text, 8, '0')
      from (select id, row_number() over (order by id) as n from operations where company_id = $1) numbered
      where o.company_id = $1 and o.id = numbered.id`,
    [companyId],
  )

type ArchiveEntry = { name: string; content: string | Buffer }

/** An archive with these entries, in order. */
async function packArchive(entries: ArchiveEntry[]): Promise<Buffer> {
  async function* each(): AsyncGenerator<ZipEntryInput> {
    for (const { name, content } of entries)
      yield {
        name,
        content: Buffer.from(content),
        on: '2026-05-19',
        ...(typeof content === 'string' && { text: true }),
      }
  }
  const parts: Uint8Array[] = []
  for await (const part of createZipStream(each())) parts.push(part)
  return Buffer.concat(parts)
}

/** The same archive with changed entry texts; an entry without a text is left out. */
export const repackArchive = (
  zip: Buffer,
  change: (name: string, text: string) => string | undefined,
): Promise<Buffer> =>
  packArchive(
    readZip(zip).flatMap(({ name, read }) => {
      const content = read()
      const isText = /\.(jsonl?|csv|txt)$/.test(name)
      const text = change(name, isText ? content.toString() : '')
      return text === undefined ? [] : [{ name, content: isText ? text : content }]
    }),
  )

export const toJsonLines = (rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
export const ARCHIVE_DESCRIPTION = {
  name: 'copie.json',
  content: JSON.stringify({ format: 2, version: '2.1.0', madeOn: '2026-05-19' }),
}

/** An archive with these entries and the usual description, without a signature. */
export const packUnsignedArchive = (entries: ArchiveEntry[]) => packArchive([ARCHIVE_DESCRIPTION, ...entries])

/** The same, signed with these secrets. */
export function packSignedArchive(secrets: Secrets, entries: ArchiveEntry[]): Promise<Buffer> {
  const all = [ARCHIVE_DESCRIPTION, ...entries]
  const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
  const text = JSON.stringify({
    entries: Object.fromEntries(all.map(({ name, content }) => [name, { sha256: hash(content), rows: 1 }])),
  })
  const signature = JSON.stringify(signArchive(secrets, text))
  return packArchive([...all, { name: DIGESTS_FILE, content: text }, { name: SIGNATURE_FILE, content: signature }])
}

export const CREATED_AT = '2026-01-05T08:00:00+00:00'
/** A table in one part. */
export const buildTableEntry = (name: string, rows: unknown[]) => ({
  name: `donnees/${name}.001.jsonl`,
  content: toJsonLines(rows),
})

/** A row of participants in archive format. */
export const buildArchivedParticipant = (more: object = {}) => ({
  id: crypto.randomUUID(),
  kind: 'person',
  name: 'Camille Morel',
  first_name: 'Camille',
  last_name: 'Morel',
  siren: '',
  email: 'camille@exemple.fr',
  phone: '',
  address: '',
  postal_code: '',
  city: '',
  notes: '',
  tags: [],
  user_id: null,
  iban: 'FR7630006000011234567890189',
  iban_end: '0189',
  mandate_reference: 'RUM-1',
  mandate_signed_on: '2025-01-01',
  erasure_asked_on: null,
  erased_on: null,
  created_at: CREATED_AT,
  version: 1,
  ...more,
})

const pickColumns = (name: string, row: Record<string, unknown>) => {
  const columns = Object.keys(COMPANY_ARCHIVE[name]?.columns ?? {})
  return Object.fromEntries(columns.map((column) => [column, row[column]]))
}

/** A signed archive with a file referenced by a document of an operation, so that its content is read. */
export async function packArchiveWithFile(
  { asOwner, db, deps }: Pick<RunningServer, 'asOwner' | 'db' | 'deps'>,
  file: { name: string; size: number; sha256: string },
  content: ArchiveEntry,
): Promise<Buffer> {
  const { id: companyId } = await makeCompany(db)
  const { id } = await makeOperation(db, { companyId, accNumber: 'ACC00000001' })
  const { rows } = await asOwner('select to_jsonb(o) as row from operations o where company_id = $1', [companyId])
  const named = { id: crypto.randomUUID(), media_type: 'application/pdf', created_at: CREATED_AT, ...file }
  const owner = { owner_kind: 'operation', owner_id: id }
  const document = {
    id: crypto.randomUUID(),
    ...owner,
    file_id: named.id,
    label: '',
    added_by: '',
    created_at: CREATED_AT,
  }
  return packSignedArchive(deps.secrets, [
    buildTableEntry('operations', [pickColumns('operations', rows[0].row)]),
    buildTableEntry('files', [named]),
    buildTableEntry('documents', [document]),
    content,
  ])
}

type Query = (text: string, values: unknown[]) => Promise<{ rows: { rows: number; hash: string }[] }>

/** The hash of all that an archive brings of a table, whichever company has it; of account numbers, whether there is one. */
export async function hashTable(query: Query, table: string, companyId: number) {
  const columns = Object.entries(COMPANY_ARCHIVE[table]?.columns ?? {})
  const plain = columns
    .filter(([, column]) => !isIgnored(column) && !isSealedIban(column))
    .map(([name]) => quoteIdentifier(name))
  const sealed = columns
    .filter(([, column]) => isSealedIban(column))
    .map(([name]) => `${quoteIdentifier(name)} is null`)
  const parts = [...plain, ...sealed].map((expression) => `coalesce((${expression})::text, '~')`).join(` || '|' || `)
  const { rows } = await query(
    `select count(*)::int as rows, md5(coalesce(string_agg(t, e'\\n' order by t), '')) as hash
       from (select ${parts} as t from ${quoteIdentifier(table)} where company_id = $1) r`,
    [companyId],
  )
  return rows[0] ?? { rows: 0, hash: '' }
}
