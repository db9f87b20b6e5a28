import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ArchiveRows, buildFamilyId } from '../../../../test/archive-identity.ts'
import { buildArchivedFile, buildArchiveRows } from '../../../../test/archive-rows.ts'
import { buildTableEntry, packSignedArchive } from '../../../../test/archives.ts'
import { COMPANY_ARCHIVE } from '../../../db/schema/company-archive/company-archive.ts'
import { createSecrets } from '../../../secrets.ts'
import { getOwnPublicKeys } from './archive-format.ts'
import { readCompanyArchive } from './read-archive.ts'

const SECRETS = createSecrets(randomBytes(32))
const COMPANY = { family: 'here', mark: 'Tilleul', prmStart: '19000001', iban: 'FR7630006000011234567890189' }
const ROWS = buildArchiveRows(COMPANY)
const ABSENT_ID = buildFamilyId('elsewhere', 'anything')

/** What the reading of an archive of this company with other rows refuses; empty where it does not. */
async function readRefusal(changed: ArchiveRows): Promise<string> {
  const entries = Object.entries({ ...ROWS, ...changed }).map(([name, rows]) => buildTableEntry(name, rows))
  const [publicKey = ''] = getOwnPublicKeys(SECRETS)
  const zip = await packSignedArchive(SECRETS, [...entries, buildArchivedFile(COMPANY).entry])
  try {
    readCompanyArchive(zip, { trusted: [{ name: 'ici', publicKey }], keep: false })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
const changeFirst = (table: string, columns: object): ArchiveRows => {
  const [first, ...others] = ROWS[table] ?? []
  return { [table]: [{ ...first, ...columns }, ...others] }
}

const RULE = { id: 'r-1', label: '', price: 1500 }
const INDEX = { indexId: ABSENT_ID, base: '121.37', fixedBp: 0 }
const KEY = { id: ABSENT_ID, number: 1, method: 'static' }
/** The place, the table that it names, and the rows that name an id which is not there. */
const ABSENT: [place: string, target: string, changed: ArchiveRows][] = [
  [
    'tariffs.rules.*.buyer',
    'participants',
    changeFirst('tariffs', { rules: [RULE, { ...RULE, id: 'r-2', buyer: ABSENT_ID }] }),
  ],
  [
    'tariffs.rules.*.group',
    'buyer_groups',
    changeFirst('tariffs', { rules: [RULE, { ...RULE, id: 'r-2', group: ABSENT_ID }] }),
  ],
  [
    'tariffs.rules.*.producer',
    'points',
    changeFirst('tariffs', { rules: [RULE, { ...RULE, id: 'r-2', producer: ABSENT_ID }] }),
  ],
  [
    'tariffs.rules.*.index.indexId',
    'price_indexes',
    changeFirst('tariffs', { rules: [RULE, { ...RULE, id: 'r-2', index: INDEX }] }),
  ],
  ['allocation_runs.key_ids.*.id', 'keys', changeFirst('allocation_runs', { key_ids: [KEY] })],
  [
    'documents.owner_id of an operation',
    'operations',
    changeFirst('documents', { owner_kind: 'operation', owner_id: ABSENT_ID }),
  ],
  [
    'documents.owner_id of a project',
    'projects',
    changeFirst('documents', { owner_kind: 'project', owner_id: ABSENT_ID }),
  ],
]

test('an archive that names inside its values only what it holds is taken', async () => {
  expect(await readRefusal({})).toBe('')
})

test.each(ABSENT)(
  '%s that is not in the archive is refused with file, line and table',
  async (place, target, changed) => {
    const [table] = place.split('.')
    const refusal = await readRefusal(changed)
    expect(refusal).toContain(`donnees/${table}.001.jsonl, ligne 1`)
    expect(refusal).toContain(`elle fait référence à ${ABSENT_ID} (${target}), absent de l’archive.`)
  },
)

test('a row of another kind under the same id is not what a value names: it is refused', async () => {
  const participant = ROWS.participants?.[0]?.id
  expect(await readRefusal(changeFirst('allocation_runs', { key_ids: [{ ...KEY, id: participant }] }))).toContain(
    '(keys)',
  )
  expect(
    await readRefusal(changeFirst('documents', { owner_kind: 'project', owner_id: ROWS.operations?.[0]?.id })),
  ).toContain('(projects)')
})

test('every id inside a value has its refusal here', () => {
  const declared = Object.entries(COMPANY_ARCHIVE).flatMap(([table, { idsInValues = {} }]) =>
    Object.keys(idsInValues).map((path) => `${table}.${path}`),
  )
  expect(ABSENT.map(([place]) => place)).toEqual(expect.arrayContaining(declared))
})
