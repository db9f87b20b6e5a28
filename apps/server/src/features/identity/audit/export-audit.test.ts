import { type AuditEntry, audit } from '@voisol/contract/audit'
import { operations } from '@voisol/contract/operations'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { buildAuditRecord } from '../../../../test/factories-audit.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { apiKeys } from '../../../db/schema/index.ts'
import { appendAudit } from '../../../http/audit.ts'
import { getToday } from '../../../today.ts'
import { formatSyslogLine } from './export-audit.ts'

const server = useServer()
type Who = Awaited<ReturnType<typeof makeUser>>

/** A company whose audit log has these entries. */
async function journal(more: object[]): Promise<Who> {
  const admin = await makeUser(server.db)
  for (const [n, one] of more.entries())
    await appendAudit(server.db, server.deps.secrets, { ...buildAuditRecord(admin.companyId, n + 1), ...one })
  return admin
}
const list = async (who: Who, query: object = {}) => (await call(server, audit.list, { query }, who)).body
const ids = ({ items }: { items: AuditEntry[] }) => items.map(({ id }) => id)
async function save({ token }: Who, query: Record<string, string>) {
  const headers = { authorization: `Bearer ${token}` }
  const { headers: told, body } = await server.app.inject({ url: audit.export.path, query, headers })
  return { headers: told, text: body }
}

test('pagination continues after the last entry read, even while entries are added', async () => {
  const admin = await journal(new Array(7).fill({}))
  const first = await list(admin, { size: 3 })
  expect([ids(first), first.total, first.next]).toEqual([['7', '6', '5'], 7, '5'])
  await appendAudit(server.db, server.deps.secrets, buildAuditRecord(admin.companyId, 8))
  const second = await list(admin, { size: 3, before: first.next })
  expect([ids(second), second.next]).toEqual([['4', '3', '2'], '2'])
  const third = await list(admin, { size: 3, before: second.next })
  expect([ids(third), third.next]).toEqual([['1'], null])
})

test('filters by person, key, object, action, outcome and day', async () => {
  const person = crypto.randomUUID()
  const admin = await journal([
    { userId: person },
    { target: 'Les Toits' },
    { action: 'DELETE /api/users/:id' },
    { outcome: 'refused' },
  ])
  expect(ids(await list(admin, { userId: person }))).toEqual(['1'])
  expect(ids(await list(admin, { target: 'Les Toits' }))).toEqual(['2'])
  expect(ids(await list(admin, { action: 'DELETE /api/users/:id' }))).toEqual(['3'])
  expect(ids(await list(admin, { outcome: 'refused' }))).toEqual(['4'])
  expect((await list(admin, { from: getToday(), until: getToday() })).total).toBe(4)
  expect((await list(admin, { until: '2026-01-04' })).total).toBe(0)
  const token = await makeApiKey(server.db, admin, { permissions: ['operations.create'] })
  expect((await call(server, operations.create, { body: { name: 'Par la clé' } }, { token })).status).toBe(200)
  const [key] = await server.db.select().from(apiKeys).where(eq(apiKeys.companyId, admin.companyId))
  const found = await list(admin, { keyId: key?.id })
  expect(found.items).toMatchObject([{ label: 'Créer une opération', userId: admin.id }])
  const { body } = await call(server, audit.get, { params: { id: found.items[0].id } }, admin)
  expect(body).toMatchObject({ keyId: key?.id, ip: '127.0.0.1', hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(body.detail.byKey).toBeUndefined()
})

test('exports the filtered entries, oldest first, as a table, as JSON Lines and for a SIEM', async () => {
  const admin = await journal([{ target: '=A1;"x"' }, { outcome: 'refused', target: 'a]b"c\\d\ne' }, {}])
  const csv = await save(admin, { format: 'csv' })
  expect(csv.headers['content-disposition']).toContain(`journal-audit-${getToday()}.csv`)
  const lines = csv.text.split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(/^\uFEFFN°;Date;Qui/)
  expect(lines[1]).toContain('"\'=A1;""x"""')
  const jsonl = await save(admin, { format: 'jsonl', outcome: 'refused' })
  expect(
    jsonl.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ id: '2', outcome: 'refused' }])
  const siem = (await save(admin, { format: 'syslog' })).text.trimEnd().split('\n')
  expect(siem).toHaveLength(3)
  expect(siem[0]).toMatch(/^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ voisol - audit \[audit@32473 company="\d+" seq="1" /)
  expect(siem[1]).toMatch(/^<108>1 /)
  expect(siem[1]).toContain('target="a\\]b\\"c\\\\d e"')
  const other = await makeUser(server.db)
  expect((await save(other, { format: 'jsonl' })).text).toBe('')
})

test('exports a long log in batches, each entry once', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  await server.db.execute(sql`
    insert into audit_entries (company_id, seq, at, actor, action, label, target, outcome, detail, request_id, ip, hash)
    select ${companyId}, n, now(), 'a', 'b', 'c', 'd', 'done', '{}', '', '', '\\x00' from generate_series(1, 2317) n returning 1`)
  const lines = (await save(admin, { format: 'jsonl' })).text.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(Array.from({ length: 2317 }, (_, n) => String(n + 1)))
  const csv = (await save(admin, { format: 'csv' })).text
  expect([csv.split('\r\n').length, csv.match(/N°/g)?.length, csv.match(/\uFEFF/g)?.length]).toEqual([2319, 1, 1])
})

test('verifies its chain in a background job and names the first broken entry', async () => {
  const admin = await journal(new Array(5).fill({}))
  const read = async () => (await call(server, audit.verification, {}, admin)).body
  const walk = async () => {
    expect((await call(server, audit.verify, {}, admin)).status).toBe(200)
    return waitUntil(async () => {
      const check = await read()
      return check.state !== 'running' && check
    })
  }
  expect(await read()).toMatchObject({ state: 'never', links: 0 })
  expect(await walk()).toMatchObject({ state: 'whole', broken: null })
  await server.asOwner(`update audit_entries set target = 'autre' where company_id = $1 and seq = 3`, [admin.companyId])
  expect(await walk()).toMatchObject({
    state: 'broken',
    broken: { seq: 3, fault: 'changed', explanation: 'son contenu a été modifié' },
  })
})

test('a SIEM entry stays on one line, whatever text it contains', () => {
  const about = { id: '7', at: '2026-05-04T09:12:31.417Z', actor: 'a', userId: null, label: 'Lire', action: 'GET /x' }
  const more = {
    target: 'x\r\ny\u2028z',
    outcome: 'done' as const,
    detail: {},
    keyId: null,
    ip: '',
    requestId: '',
    hash: 'ff',
  }
  const line = formatSyslogLine({ ...about, ...more }, 3, 'hote')
  expect(line).toBe(
    '<110>1 2026-05-04T09:12:31.417Z hote voisol - audit [audit@32473 company="3" seq="7" actor="a" action="GET /x" target="x y z" outcome="done" hash="ff"] \ufeffa\u00a0: Lire (x y z)',
  )
})
