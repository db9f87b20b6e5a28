import { endpoints } from '@voisol/contract'
import type { Endpoint } from '@voisol/contract/endpoint'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { buildValidInput, formatEndpoint } from '../../../../test/access-bodies.ts'
import { type ArchiveIdentity, type ArchiveRows, buildFamilyId } from '../../../../test/archive-identity.ts'
import { buildArchivedFile, buildArchiveRows } from '../../../../test/archive-rows.ts'
import { buildTableEntry, packSignedArchive } from '../../../../test/archives.ts'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser, UNKNOWN_ID } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { COMPANY_ARCHIVE, ISSUED, isReference } from '../../../db/schema/company-archive/company-archive.ts'
import { quoteIdentifier } from './company-export.ts'
import { importCompany } from './company-import.ts'

const server = useServer()
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g
type Person = Awaited<ReturnType<typeof makeUser>>

const THEIRS = { mark: 'Mirabel', prmStart: '19000001', iban: 'FR7630006000011234567890189' }
/** A company whose rows have the very ids of the attacker's archive, and one whose rows have other ids. */
const SAME_IDS: ArchiveIdentity = { family: 'shared', ...THEIRS }
const OTHER_IDS: ArchiveIdentity = { family: 'other', ...THEIRS, prmStart: '19000002' }
const ATTACKER: ArchiveIdentity = {
  family: 'shared',
  mark: 'Quetsch',
  prmStart: '19000003',
  iban: 'FR1420041010050500013M02606',
}
const importRows = async (person: Person, identity: ArchiveIdentity, changed: ArchiveRows = {}) => {
  const tables = Object.entries({ ...buildArchiveRows(identity), ...changed })
  const entries = tables.map(([name, rows]) => buildTableEntry(name, rows))
  const zip = await packSignedArchive(server.deps.secrets, [...entries, buildArchivedFile(identity).entry])
  return importCompany(server.deps, person.companyId, zip)
}

/** Every id that an archive names, in order: the same row stands at the same place in that of each family. */
const listIds = (identity: ArchiveIdentity): string[] => JSON.stringify(buildArchiveRows(identity)).match(UUID) ?? []

let tenantTables: string[]
let others: Person[]
let rowsBefore: Record<string, string>

/** The hash of all rows of the other companies, by table. */
async function hashOthers(): Promise<Record<string, string>> {
  const hashes = tenantTables.map(
    (table) =>
      `select '${table}' as table, md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) as hash
         from ${quoteIdentifier(table)} t where company_id = any ($1)`,
  )
  const { rows } = await server.asOwner(hashes.join(' union all '), [others.map(({ companyId }) => companyId)])
  return Object.fromEntries(rows.map(({ table, hash }: Record<string, string>) => [table, hash]))
}

/** The tables in which a row of a company says a text. */
async function listTablesWith(companyId: number, text: string): Promise<string[]> {
  const searches = tenantTables.map(
    (table) =>
      `select '${table}' as table where exists (
         select from ${quoteIdentifier(table)} t where company_id = $1 and strpos(t::text, $2) > 0)`,
  )
  const { rows } = await server.asOwner(searches.join(' union all '), [companyId, text])
  return rows.map(({ table }: { table: string }) => table)
}

beforeAll(async () => {
  await makeSiteAdmin(server.db)
  for (const { name, key } of await server.queue.getSchedules()) await server.queue.unschedule(name, key)
  const { rows } = await server.asOwner(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  tenantTables = rows.map(({ name }: { name: string }) => name)
  others = [await makeUser(server.db), await makeUser(server.db)]
  for (const [at, identity] of [SAME_IDS, OTHER_IDS].entries()) {
    const person = others[at]
    if (person) await importRows(person, identity)
  }
  await waitForJobs(server)
  rowsBefore = await hashOthers()
})

test('every table that an archive may bring has rows here, each column of which has its value', () => {
  const rows = buildArchiveRows(ATTACKER)
  expect(Object.keys(rows).sort()).toEqual([...Object.keys(COMPANY_ARCHIVE), ...Object.keys(ISSUED)].sort())
  for (const [name, table] of Object.entries(COMPANY_ARCHIVE))
    for (const row of rows[name] ?? [])
      expect([name, Object.keys(row).sort()]).toEqual([name, Object.keys(table.columns).sort()])
})

/** Queries that lists and sums need, unless the endpoint has its own. */
const PERIOD = {
  from: '2025-07-01',
  to: '2025-08-01',
  month: '2025-07-01',
  day: '2025-07-01',
  year: '2025',
  step: 'day',
}
const id = (name: string) => buildFamilyId(SAME_IDS.family, name)
/** What the parameters of a read name, where their name says it. */
const NAMED_IDS: Record<string, string> = {
  operationId: id('operation'),
  participantId: id('participant'),
  buyer: id('participant'),
  pointId: id('point'),
  producerId: id('plant'),
  seller: id('seller'),
  sellerId: id('seller'),
  creditorId: id('seller'),
  accountId: id('account'),
}

/** The inputs with which a read may find what is under one of these ids. */
function listReadInputs(e: Endpoint, ids: string[]) {
  const { query: own = {} } = buildValidInput(e) as { query?: Record<string, string> } // of a read, it has no more
  const ownQuery = Object.entries(own).map(([name, value]) => [name, value === UNKNOWN_ID ? NAMED_IDS[name] : value])
  const query = { ...PERIOD, ...Object.fromEntries(ownQuery) }
  return (e.path.includes(':') ? ids : ['']).map((id) => ({ query, params: { id, ...PERIOD, ...NAMED_IDS } }))
}

/** What every read of the API answers to somebody who knows these ids. */
async function readEverything(person: Person, ids: string[]) {
  const answers = new Map<string, string>()
  for (const e of endpoints)
    for (const input of e.method === 'GET' ? listReadInputs(e, ids) : []) {
      const { status, text } = await call(server, e, input, person)
      if (status === 200) answers.set(formatEndpoint(e), text)
      if (status !== 404) break
    }
  return answers
}
const listReadsWith = (answers: Map<string, string>, mark: string) =>
  [...answers].filter(([, text]) => text.toLowerCase().includes(mark.toLowerCase())).map(([endpoint]) => endpoint)

test('rows of every table with the ids of another company come in as the importing company’s own: the other one changes and shows nothing', async () => {
  const attacker = await makeUser(server.db)
  await importRows(attacker, ATTACKER)
  await waitForJobs(server)
  const filled = await listTablesWith(attacker.companyId, '')
  expect(Object.keys(COMPANY_ARCHIVE).filter((table) => !filled.includes(table))).toEqual([])
  const answers = await readEverything(attacker, [...new Set(listIds(SAME_IDS))])
  expect(listReadsWith(answers, ATTACKER.mark).length).toBeGreaterThan(60)
  expect(listReadsWith(answers, THEIRS.mark)).toEqual([])
  expect(await hashOthers()).toEqual(rowsBefore)
})

type Path = string[]
/** Where an id stands in a row or in a value of it, at whatever depth, but the row's own. */
const listIdPaths = (value: unknown, path: Path = []): Path[] => {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => listIdPaths(inner, [...path, key]))
  return typeof value === 'string' && value.match(UUID)?.[0] === value && path.join() !== 'id' ? [path] : []
}
const replaceAt = (value: unknown, [key, ...path]: Path, id: unknown): unknown => {
  if (key === undefined) return id
  const copy = structuredClone(value) as Record<string, unknown> // the path was read from it
  copy[key] = replaceAt(copy[key], path, id)
  return copy
}

/** Every place of an archive in which an id stands, or may stand, with an id of another company's row of that kind. */
function listForeignPlaces(rows: ArchiveRows) {
  const foreignIds = listIds(OTHER_IDS)
  const foreignIdByOwnId = new Map(listIds(ATTACKER).map((id, at) => [id, foreignIds[at]]))
  const others = buildArchiveRows(OTHER_IDS)
  return Object.entries(rows).flatMap(([table, list]) =>
    list.flatMap((row, at) => {
      const replace = (path: Path, foreignId: unknown) => ({
        table,
        line: at + 1,
        place: `${table} ${at + 1}: ${path.join('.')}`,
        foreignId: String(foreignId),
        changed: { [table]: list.with(at, replaceAt(row, path, foreignId) as (typeof list)[number]) }, // a row again
      })
      const empty = Object.entries(COMPANY_ARCHIVE[table]?.columns ?? {}).flatMap(([name, column]) =>
        isReference(column) && row[name] === null ? [replace([name], others[column.refersTo]?.[0]?.id)] : [],
      )
      const withForeignId = listIdPaths(row).map((path) =>
        replace(path, foreignIdByOwnId.get(String(path.reduce((inner, key) => Object(inner)[key], row as unknown)))),
      )
      return [...withForeignId, ...empty]
    }),
  )
}

/** Places that the import reads past: whatever they name is not written. */
const READ_PAST = [
  'allocation_runs 1: completeness.members.0.pointId',
  'allocation_runs 1: created_by',
  'allocation_runs 1: key_id',
  'allocation_runs 1: sign_off.userId',
  'contract_events 1: file_id',
  'curve_days 1: import_id',
  'matches 1: credit_payment_id',
  'matches 1: debit_invoice_id',
  'matches 2: credit_payment_id',
  'matches 2: debit_payment_id',
  'participants 1: user_id',
  'past_documents 1: payment_id',
  'payments 1: buyer_id',
  'payments 1: seller_id',
]

test('the id of a row of another company that is not in the archive is refused at every place of every table, or is not written', async () => {
  const places = listForeignPlaces(buildArchiveRows(ATTACKER))
  const references = Object.entries(COMPANY_ARCHIVE).flatMap(([table, { columns }]) =>
    Object.keys(columns)
      .filter((name) => isReference(columns[name] ?? z.unknown()))
      .map((name) => `${table} 1: ${name}`),
  )
  expect(places.map(({ place }) => place)).toEqual(expect.arrayContaining(references))
  const readPast: string[] = []
  const unexpected: string[] = []
  let attacker = await makeUser(server.db)
  for (const { table, line, place, foreignId, changed } of places) {
    const refusal = await importRows(attacker, ATTACKER, changed).then(
      () => '',
      (error: Error) => error.message,
    )
    if (refusal === '') {
      readPast.push(place)
      const written = await listTablesWith(attacker.companyId, foreignId)
      if (written.length) unexpected.push(`${place}: written in ${written.join()}`)
      attacker = await makeUser(server.db)
    } else if (
      !refusal.startsWith(`donnees/${table}.001.jsonl, ligne ${line}`) ||
      !refusal.includes('absent de l’archive')
    )
      unexpected.push(`${place}: ${refusal}`)
  }
  expect(unexpected).toEqual([])
  expect(readPast.sort()).toEqual(READ_PAST)
  await waitForJobs(server)
  expect(await hashOthers()).toEqual(rowsBefore)
})
