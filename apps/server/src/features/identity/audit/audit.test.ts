import { audit } from '@voisol/contract/audit'
import { auth } from '@voisol/contract/auth'
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { buildAuditRecord, makeAuditChain } from '../../../../test/factories-audit.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { auditEntries } from '../../../db/schema/index.ts'
import { appendAudit } from '../../../http/audit.ts'
import { verifyAudit } from './verify-audit.ts'

const server = useServer()

const verifyCompanyChain = async (companyId: number) =>
  (await verifyAudit(server.db, server.deps.secrets)).find((chain) => chain.companyId === companyId)

/** Writes as the database owner; the application role could not. */
const tamper = (statement: string, values: unknown[]) => server.asOwner(statement, values)

describe('the audit log', () => {
  test('lists the company’s entries, newest first, with search and pages', async () => {
    const admin = await makeUser(server.db)
    const other = await makeUser(server.db)
    for (let i = 1; i <= 3; i++) await appendAudit(server.db, server.deps.secrets, buildAuditRecord(admin.companyId, i))
    await appendAudit(server.db, server.deps.secrets, buildAuditRecord(other.companyId, 9))
    const all = await call(server, audit.list, {}, admin)
    expect(all.body.items.map((item: { target: string }) => item.target)).toEqual(['Élodie 3', 'Élodie 2', 'Élodie 1'])
    expect(all.body.items[0]).not.toHaveProperty('ip')
    const found = await call(server, audit.list, { query: { q: 'elodie 2', size: '1' } }, admin)
    expect(found.body).toMatchObject({ total: 1, items: [{ target: 'Élodie 2' }] })
    const second = await call(server, audit.list, { query: { page: '2', size: '2' } }, admin)
    expect(second.body).toMatchObject({ total: 3, items: [{ target: 'Élodie 1' }] })
  })

  test('lists what was done to one operation', async () => {
    const admin = await makeUser(server.db)
    const operationId = '0b9d3f5e-7f0c-4f0e-9d0e-2f6f3f0a9c11'
    const about = { ...buildAuditRecord(admin.companyId, 1), detail: { operationId } }
    await appendAudit(server.db, server.deps.secrets, about)
    await appendAudit(server.db, server.deps.secrets, buildAuditRecord(admin.companyId, 2))
    const { body } = await call(server, audit.list, { query: { operationId } }, admin)
    expect(body).toMatchObject({ total: 1, items: [{ target: 'Élodie 1' }] })
  })

  test('every endpoint of the table that changes data writes an entry', async () => {
    const admin = await makeUser(server.db)
    await call(server, auth.revokeOtherSessions, {}, admin)
    const { body } = await call(server, audit.list, {}, admin)
    expect(body.items[0]).toMatchObject({
      actor: admin.email,
      action: 'POST /api/auth/sessions/revoke-others',
      label: 'Fermer les autres sessions',
    })
  })

  test.each(['update audit_entries set actor = $$x$$', 'delete from audit_entries', 'truncate audit_entries'])(
    'refuses « %s » to the application role',
    async (statement) => {
      await makeAuditChain(server, 1)
      await expect(server.deps.db.$client.query(statement)).rejects.toThrow('permission denied')
    },
  )
})

describe('verification of the chain', () => {
  let id = 0
  beforeEach(async () => {
    id = await makeAuditChain(server, 5)
  })
  const at = 'where company_id = $1 and seq ='

  test('accepts an intact chain, with entries of 20 concurrent writers', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        transaction(server.db, (tx) => appendAudit(tx, server.deps.secrets, buildAuditRecord(id, n))),
      ),
    )
    expect(await verifyCompanyChain(id)).toMatchObject({ links: 25 })
    expect((await verifyCompanyChain(id))?.broken).toBeUndefined()
  })

  test.each([
    ["actor = 'x'", 3],
    [`detail = '{"z": 1}'`, 3],
    ["outcome = 'refused'", 2],
    ["at = '2119-07-13T05:17:00Z'", 5],
    ["hash = decode(repeat('00', 32), 'hex')", 5],
  ])('names the entry changed by %s', async (change, seq) => {
    await tamper(`update audit_entries set ${change} ${at} ${seq}`, [id])
    expect((await verifyCompanyChain(id))?.broken).toEqual({ seq, fault: 'changed' })
  })

  test('names the entry that was removed', async () => {
    await tamper(`delete from audit_entries ${at} 3`, [id])
    expect((await verifyCompanyChain(id))?.broken).toEqual({ seq: 3, fault: 'removed' })
  })

  test('names a removed entry even when the rest is renumbered', async () => {
    await tamper(`delete from audit_entries ${at} 3`, [id])
    for (const seq of [4, 5]) await tamper(`update audit_entries set seq = seq - 1 ${at} ${seq}`, [id])
    expect((await verifyCompanyChain(id))?.broken).toEqual({ seq: 3, fault: 'changed' })
  })

  test('names the first of two entries that changed places', async () => {
    for (const [from, to] of [
      [2, 99],
      [4, 2],
      [99, 4],
    ])
      await tamper(`update audit_entries set seq = ${to} ${at} ${from}`, [id])
    expect((await verifyCompanyChain(id))?.broken).toEqual({ seq: 2, fault: 'reordered' })
  })

  test('finds an entry from before a restored backup inserted among the later ones', async () => {
    const third = and(eq(auditEntries.companyId, id), eq(auditEntries.seq, 3))
    const past = await server.db.select().from(auditEntries).where(third)
    await tamper('delete from audit_entries where company_id = $1 and seq > 2', [id])
    const head = `select seq, hash from audit_entries ${at} 2`
    await tamper(`update audit_heads set (seq, hash) = (${head}) where company_id = $1`, [id])
    for (const n of [31, 41, 51]) await appendAudit(server.db, server.deps.secrets, buildAuditRecord(id, n))
    expect(await verifyCompanyChain(id)).toMatchObject({ links: 5 })
    expect((await verifyCompanyChain(id))?.broken).toBeUndefined()
    await tamper(`delete from audit_entries ${at} 3`, [id])
    await server.db.insert(auditEntries).values(past)
    expect((await verifyCompanyChain(id))?.broken).toEqual({ seq: 4, fault: 'changed' })
  })

  test('detects removed last entries and a removed chain', async () => {
    await tamper('delete from audit_entries where company_id = $1 and seq > 3', [id])
    expect((await verifyCompanyChain(id))?.broken).toEqual({ seq: 4, fault: 'cut' })
    await tamper('delete from audit_entries where company_id = $1', [id])
    expect((await verifyCompanyChain(id))?.broken).toEqual({ seq: 1, fault: 'cut' })
  })

  test('detects a removed chain head', async () => {
    await tamper('delete from audit_heads where company_id = $1', [id])
    expect((await verifyCompanyChain(id))?.broken).toEqual({ seq: 6, fault: 'cut' })
  })
})
