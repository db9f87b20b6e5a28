import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { backups } from '@voisol/contract/backups'
import { energy } from '@voisol/contract/energy'
import { expect, test } from 'vitest'
import { packSigned, toLines } from '../../../../test/archives.ts'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { jobsEnd } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { watchRows, writtenRows } from '../../../../test/watched-rows.ts'
import {
  COMPANY_ARCHIVE,
  isIgnored,
  isReference,
  isSealedIban,
  NEVER,
} from '../../../db/schema/company-archive/company-archive.ts'
import { smallScale } from '../../../world/scale.ts'
import { fillDemo } from '../demo/fill.ts'
import { exportCompany } from './company-export.ts'
import { importCompany, previewImport } from './company-import.ts'
import { quoted } from './company-tables.ts'

const server = useServer()
let keeper: Awaited<ReturnType<typeof makeSiteAdmin>>
const ANCHOR = '2025-11-05'
const scale = (anchor: string) => ({ ...smallScale(anchor, 3), homes: 7 })

/** The hash of all that an archive brings of a table, whichever company has it; account numbers as they read. */
async function hashRows(table: string, companyId: number) {
  const columns = Object.entries(COMPANY_ARCHIVE[table]?.columns ?? {})
  const plain = columns
    .filter(([, column]) => !isIgnored(column) && !isSealedIban(column))
    .map(([name]) => quoted(name))
  const sealed = columns.filter(([, column]) => isSealedIban(column)).map(([name]) => `${quoted(name)} is null`)
  const parts = [...plain, ...sealed].map((expression) => `coalesce((${expression})::text, '~')`).join(` || '|' || `)
  const { rows } = await server.asOwner(
    `select count(*)::int as rows, md5(coalesce(string_agg(t, e'\\n' order by t), '')) as hash
       from (select ${parts} as t from ${quoted(table)} where company_id = $1) r`,
    [companyId],
  )
  return rows[0] as { rows: number; hash: string }
}

test('the demo, exported here and imported by an empty company, is the same in every table that comes in', {
  timeout: 600_000,
}, async () => {
  keeper = await makeSiteAdmin(server.db)
  await fillDemo(server.deps, { companyId: keeper.companyId, today: ANCHOR, scale })
  await jobsEnd(server)
  const path = join(server.deps.config.dataDir, 'copy.zip')
  await exportCompany(server.deps, keeper.companyId, path)
  const heir = await makeUser(server.db)
  const preview = await previewImport(server.deps, heir.companyId, readFileSync(path))
  expect(preview).toMatchObject({ signedBy: 'cette installation', company: 'Voisol' })
  // Whoever owns the site has no subscription.
  const left = NEVER.map(({ label }) => label).filter((label) => label !== 'Abonnement à Voisol')
  expect(preview.left.map(({ label }) => label).sort()).toEqual(left.sort())
  expect(preview.left.every(({ rows }) => rows !== null && rows > 0)).toBe(true)
  const { rows } = await importCompany(server.deps, heir.companyId, readFileSync(path))
  expect(rows).toBeGreaterThan(2000)
  await jobsEnd(server)

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
  const never = await Promise.all(
    NEVER.flatMap(({ label, tables }) =>
      label === 'Calculs qui se refont' || label === 'Journal et événements' ? [] : tables,
    ).map(async (table) => {
      const { rows: found } = await server.asOwner(
        `select count(*)::int as n from ${quoted(table)} where company_id = $1`,
        [heir.companyId],
      )
      return [table, found[0]?.n] as const
    }),
  )
  expect(Object.fromEntries(never.filter(([, n]) => n > 0))).toEqual({ memberships: 1, sessions: 1 })
  expect((await call(server, backups.list, {}, heir)).body.empty).toBe(false)
})

/** What was taken goes again, so that the company is empty for the next attempt. */
const emptyCompany = async (companyId: number) => {
  const tables = Object.keys(COMPANY_ARCHIVE).map(
    (name) => `delete from ${quoted(name)} where company_id = ${companyId}`,
  )
  await server.asOwner(`begin; set local session_replication_role = replica; ${tables.join(';')}; commit`)
}

/** Every table of a company, with the columns in which a row may name another one. */
const TENANT_TABLES = `
  select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`

/** An archive that this installation itself signed, with these rows of one table. */
const signedWith = (table: string, rows: unknown[]) =>
  packSigned(server.deps.secrets, [{ name: `donnees/${table}.001.jsonl`, content: toLines(rows) }])

test('for every table, rows that name the ids of another company change and show nothing of it', {
  timeout: 600_000,
}, async () => {
  const { rows: tables } = await server.asOwner(TENANT_TABLES)
  const attacker = await makeUser(server.db)
  await watchRows(server, 'whole')
  const outcomes: Record<string, string> = {}
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await server.asOwner(
      `select to_jsonb(t) as row from ${quoted(name)} t where company_id = $1 limit 2`,
      [keeper.companyId],
    )
    if (!rows.length) continue
    const theirs = rows.map(({ row }) => row)
    const unnamed = theirs.map(({ company_id: _, ...row }) => row)
    for (const hostile of [theirs, unnamed]) {
      const zip = await signedWith(name, hostile)
      const written = await importCompany(server.deps, attacker.companyId, zip).catch((error: unknown) => String(error))
      outcomes[`${name}${hostile === theirs ? ' as of the other company' : ''}`] =
        typeof written === 'string' ? 'refused' : written.rows ? 'taken' : 'left'
      if (typeof written !== 'string' && written.rows) await emptyCompany(attacker.companyId)
    }
  }
  expect(Object.keys(outcomes).length).toBeGreaterThan(200)
  const touched = (await writtenRows(server)).filter(({ row }) => row?.company_id === keeper.companyId)
  expect(touched).toEqual([])

  // What comes in names nothing but itself: it is the attacker's own text, under ids of the attacker's company.
  const taken = Object.keys(outcomes).filter((name) => outcomes[name] === 'taken')
  const naming = taken.filter((name) => Object.values(COMPANY_ARCHIVE[name]?.columns ?? {}).some(isReference))
  expect(naming).toEqual([])
  expect(taken).toEqual(expect.arrayContaining(['participants', 'points', 'operations']))
  const imported = (name: string) => name.split(' ')[0] ?? ''
  expect(taken.filter((name) => !(imported(name) in COMPANY_ARCHIVE))).toEqual([])
})
