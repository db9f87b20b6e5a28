import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backups } from '@voisol/contract/backups'
import { energy } from '@voisol/contract/energy'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { points } from '@voisol/contract/points'
import { createSmallScale } from '@voisol/simulator/demo/blueprint'
import { expect, test } from 'vitest'
import { hashTable, packSignedArchive, toJsonLines } from '../../../../test/archives.ts'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { listWrittenRows, watchRows } from '../../../../test/watched-rows.ts'
import {
  COMPANY_ARCHIVE,
  EXCLUDED_TABLES,
  importOrder,
  isReference,
} from '../../../db/schema/company-archive/company-archive.ts'
import { readZip } from '../../../files/zip.ts'
import { fillDemo } from '../demo/fill-demo.ts'
import { getOwnPublicKeys } from './archive-format.ts'
import { exportCompany, listSealedColumns, quoteIdentifier } from './company-export.ts'
import { importCompany, previewImport } from './company-import.ts'
import { readCompanyArchive } from './read-archive.ts'

const server = useServer()
let keeper: Awaited<ReturnType<typeof makeSiteAdmin>>
const ANCHOR = '2025-11-05'
const scale = (anchor: string) => ({ ...createSmallScale(anchor, 3), homes: 7 })

const hashRows = (table: string, companyId: number) => hashTable(server.asOwner, table, companyId)

test('the demo, exported here and imported by an empty company, is the same in every table that comes in', {
  timeout: 600_000,
}, async () => {
  keeper = await makeSiteAdmin(server.db)
  await fillDemo(server.deps, { companyId: keeper.companyId, today: ANCHOR, scale })
  await waitForJobs(server)
  const path = join(server.deps.config.dataDir, 'copy.zip')
  await exportCompany(server.deps, keeper.companyId, path)
  const heir = await makeUser(server.db)
  const preview = await previewImport(server.deps, heir.companyId, readFileSync(path))
  expect(preview).toMatchObject({ signedBy: 'cette installation', company: 'Voisol' })
  // Whoever owns the site has no subscription.
  const left = EXCLUDED_TABLES.map(({ label }) => label).filter((label) => label !== 'Abonnement à Voisol')
  expect(preview.left.map(({ label }) => label).sort()).toEqual(left.sort())
  expect(preview.left.every(({ rows }) => rows !== null && rows > 0)).toBe(true)
  const { rows } = await importCompany(server.deps, heir.companyId, readFileSync(path))
  expect(rows).toBeGreaterThan(2000)
  await waitForJobs(server)

  const different: string[] = []
  const filled: string[] = []
  for (const table of Object.keys(COMPANY_ARCHIVE)) {
    const [there, here] = [await hashRows(table, keeper.companyId), await hashRows(table, heir.companyId)]
    if (table === 'files') continue // only those that something brought names
    if (there.rows) filled.push(table)
    if (JSON.stringify(there) !== JSON.stringify(here)) different.push(`${table}: ${there.rows}, ${here.rows}`)
  }
  expect(different).toEqual([])
  expect(filled.length).toBeGreaterThan(25)

  const span = { query: { from: '2025-09-01', to: '2025-11-05' } }
  const summaries = await Promise.all([keeper, heir].map((person) => call(server, energy.summary, span, person)))
  expect(summaries[1]?.body).toEqual(summaries[0]?.body)
  const present: Record<string, number> = {}
  for (const { label, tables } of EXCLUDED_TABLES) {
    if (label === 'Données recalculées' || label === 'Journal et événements') continue
    for (const table of tables) {
      if (table === 'call_counts') continue // the calls of this very test
      const counted = `select count(*)::int as n from ${quoteIdentifier(table)} where company_id = $1`
      const found = await server.asOwner(counted, [heir.companyId])
      if (found.rows[0]?.n) present[table] = found.rows[0].n
    }
  }
  expect(present).toEqual({ memberships: 1, sessions: 1 })
  expect((await call(server, backups.list, {}, heir)).body.empty).toBe(false)
})

/** Every table of a company, with the columns in which a row may name another one. */
const TENANT_TABLES = `
  select c.relname as name,
         array(select f.attname::text from pg_attribute f where f.attrelid = c.oid and f.attnum > 0 and not f.attisdropped) as columns,
         array(select f.attname::text from pg_attribute f where f.attrelid = c.oid and f.atttypid = 'uuid'::regtype) as ids
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`

/** The columns that the database computes: no archive has them. */
const generated = (table: string) =>
  `(select coalesce(array_agg(attname::text), '{}') from pg_attribute where attrelid = '${table}'::regclass and attgenerated <> '')`

/** A row as its archive has it: account numbers in clear. */
const openIbans = (table: string, row: Record<string, unknown>) => {
  const open = { ...row }
  for (const [name, place] of listSealedColumns(table)) {
    const sealed = row[name]
    if (typeof sealed === 'string')
      open[name] = server.deps.secrets.open(sealed, place(keeper.companyId, String(row.id)))
  }
  return open
}

/** An archive that this installation itself signed, with these rows of one table. */
const signedWith = (table: string, rows: unknown[]) =>
  packSignedArchive(server.deps.secrets, [{ name: `donnees/${table}.001.jsonl`, content: toJsonLines(rows) }])

test('for every table, rows that name the ids of another company change and show nothing of it', {
  timeout: 600_000,
}, async () => {
  const { rows: tables } = await server.asOwner(TENANT_TABLES)
  let attacker = await makeUser(server.db)
  await watchRows(server, 'whole')
  const outcomes: Record<string, string> = {}
  const { rows: known } = await server.asOwner('select id from operations where company_id = $1', [keeper.companyId])
  for (const { name, columns, ids } of tables as { name: string; columns: string[]; ids: string[] }[]) {
    const { rows } = await server.asOwner(
      `select to_jsonb(t) - ${generated(name)} as row from ${quoteIdentifier(name)} t where company_id = $1 limit 2`,
      [keeper.companyId],
    )
    // Where the demo has none, one that names its ids wherever an id may stand.
    const theirValue = (column: string) =>
      column === 'company_id' ? keeper.companyId : ids.includes(column) ? known[0]?.id : null
    const made = Object.fromEntries(columns.map((column) => [column, theirValue(column)]))
    const theirs = rows.length ? rows.map(({ row }) => openIbans(name, row)) : [made]
    const unnamed = theirs.map(({ company_id: _, ...row }) => row)
    for (const hostile of [theirs, unnamed]) {
      const zip = await signedWith(name, hostile)
      const written = await importCompany(server.deps, attacker.companyId, zip).catch((error: unknown) => String(error))
      outcomes[`${name}${hostile === theirs ? ' as of the other company' : ''}`] =
        typeof written === 'string' ? 'refused' : written.rows ? 'taken' : 'left'
      // The next attempt needs an empty company again.
      if (typeof written !== 'string' && written.rows) attacker = await makeUser(server.db)
    }
  }
  expect(Object.keys(outcomes).length).toBeGreaterThan(200)
  // The sums of its own curves are made again some seconds after the demo was filled, whoever else does what.
  const computed = EXCLUDED_TABLES.find(({ label }) => label === 'Données recalculées')?.tables ?? []
  const touched = (await listWrittenRows(server)).filter(
    ({ name, row }) => row?.company_id === keeper.companyId && !computed.includes(name),
  )
  expect(touched).toEqual([])

  // What comes in names nothing but itself: it is the attacker's own text, under ids of the attacker's company.
  const taken = Object.keys(outcomes).filter((name) => outcomes[name] === 'taken')
  const naming = taken.filter((name) => Object.values(COMPANY_ARCHIVE[name]?.columns ?? {}).some(isReference))
  expect(naming).toEqual([])
  expect(taken).toEqual(expect.arrayContaining(['participants', 'points', 'operations']))
  const imported = (name: string) => name.split(' ')[0] ?? ''
  expect(taken.filter((name) => !(imported(name) in COMPANY_ARCHIVE))).toEqual([])
})

/** What is legible in an archive, unpacked. */
const readText = (path: string) =>
  readZip(readFileSync(path))
    .map(({ read }) => read().toString())
    .join('\n')

test('rows with the ids of another company, taken by an empty one: show their own text and none of the other company', async () => {
  const attacker = await makeUser(server.db)
  const read = async (table: string) => {
    const { rows } = await server.asOwner(
      `select to_jsonb(t) - 'company_id'::text - ${generated(table)} as row from ${quoteIdentifier(table)} t where company_id = $1`,
      [keeper.companyId],
    )
    return rows.map(({ row }) => openIbans(table, row)) as Record<string, string>[]
  }
  const [theirOperations, theirParticipants, theirPoints] = [
    await read('operations'),
    await read('participants'),
    await read('points'),
  ]
  const theirs = { operations: theirOperations, participants: theirParticipants, points: theirPoints }
  const own = {
    operations: theirOperations.map((row) => ({ ...row, name: 'À moi' })),
    participants: theirParticipants.map((row) => ({
      ...row,
      name: 'À moi',
      first_name: 'À',
      last_name: 'moi',
      email: 'moi@exemple.fr',
      iban: null,
      address: '',
      notes: '',
    })),
    points: theirPoints.map((row, n) => ({
      ...row,
      prm: `1911111${String(n).padStart(7, '0')}`,
      label: '',
      address: '',
    })),
  }
  const zip = await packSignedArchive(
    server.deps.secrets,
    Object.entries(own).map(([name, rows]) => ({ name: `donnees/${name}.001.jsonl`, content: toJsonLines(rows) })),
  )
  const taken = Object.values(own).reduce((sum, rows) => sum + rows.length, 0)
  expect(await importCompany(server.deps, attacker.companyId, zip)).toMatchObject({ rows: taken })
  await waitForJobs(server)

  const secrets = [
    ...theirs.operations.map(({ name }) => name),
    ...theirs.participants.flatMap(({ name, email, iban }) => [name, email, iban]),
    ...theirs.points.map(({ prm }) => prm),
  ].filter((text): text is string => typeof text === 'string' && text.length > 4)
  expect(secrets.length).toBeGreaterThan(20)
  const path = join(server.deps.config.dataDir, 'attacker.zip')
  await exportCompany(server.deps, attacker.companyId, path)
  const span = { query: { from: '2025-09-01', to: '2025-11-05' } }
  const [operation, person, point] = [theirOperations[0]?.id, theirParticipants[0]?.id, theirPoints[0]?.id]
  const answers = await Promise.all([
    call(server, operations.list, {}, attacker),
    call(server, operations.get, { params: { id: operation } }, attacker),
    call(server, participants.list, {}, attacker),
    call(server, participants.get, { params: { id: person } }, attacker),
    call(server, points.list, {}, attacker),
    call(server, points.get, { params: { id: point } }, attacker),
    call(server, energy.summary, span, attacker),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200])
  const text = answers.map(({ body }) => JSON.stringify(body)).join('\n') + readText(path)
  expect(text).toContain('À moi')
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test('for every column that refers to a row, an id that is not in the archive refuses it with file and line', {
  timeout: 600_000,
}, async () => {
  const stranger = await makeUser(server.db)
  const { id: foreign } = await makeOperation(server.db, { companyId: stranger.companyId })
  const { $client } = server.db
  const parts: Record<string, Record<string, unknown>[]> = {}
  for (const name of importOrder()) {
    // Few of the many days: the rows that others refer to are all there.
    const { rows } = await $client.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) - 'company_id'::text - ${generated(name)} as row from ${quoteIdentifier(name)} t where company_id = $1 limit 60`,
      [keeper.companyId],
    )
    parts[name] = rows.map(({ row }) => openIbans(name, row))
  }
  const read = async (changed: Record<string, unknown[]>) => {
    const entries = Object.entries({ ...parts, ...changed }).map(([name, rows]) => ({
      name: `donnees/${name}.001.jsonl`,
      content: toJsonLines(rows),
    }))
    const [publicKey = ''] = getOwnPublicKeys(server.deps.secrets)
    const options = { trusted: [{ name: 'ici', publicKey }], keep: false }
    try {
      return readCompanyArchive(await packSignedArchive(server.deps.secrets, entries), options).preview.taken.length
    } catch (error) {
      return String(error)
    }
  }
  parts.files = []
  for (const name of ['documents']) parts[name] = []
  for (const name of ['billing_mandates', 'mandates'])
    parts[name] = (parts[name] ?? []).map((row) => ({ ...row, file_id: null }))
  const whole = await read({})
  expect(typeof whole, String(whole)).toBe('number')
  const passed: string[] = []
  let tried = 0
  for (const [name, rows] of Object.entries(parts)) {
    const [first, ...others] = rows
    for (const [column, kind] of Object.entries(COMPANY_ARCHIVE[name]?.columns ?? {})) {
      if (!first || !isReference(kind)) continue
      tried++
      const outcome = await read({ [name]: [{ ...first, [column]: foreign }, ...others] })
      const expected = `donnees/${name}.001.jsonl, ligne 1`
      if (typeof outcome !== 'string' || !outcome.includes(expected) || !outcome.includes('absent de l’archive'))
        passed.push(`${name}.${column}: ${outcome}`)
    }
  }
  expect(passed).toEqual([])
  expect(tried).toBeGreaterThan(35)
})
