import { afterEach, expect, test } from 'vitest'
import { appendAuditEntries, makeAuditChain } from '../../../../test/factories-audit.ts'
import { useServer } from '../../../../test/server.ts'
import { parseHeadsSnapshot } from './audit-heads.ts'
import { recordAuditHeads } from './check-audit.ts'
import { verifyAudit } from './verify-audit.ts'

const server = useServer()
const DAY = '2026-03-29'
const recordHeads = (day = DAY) => recordAuditHeads(server.db, server.deps.secrets, day)
const listHeadEvents = async (id: number) =>
  (await server.asOwner(`select data from events where name = 'audit.head-noted' and company_id = ${id} order by seq`))
    .rows
afterEach(() => server.asOwner('truncate audit_entries, audit_heads'))

test('each company gets its own head once a day, and that event does not change the head', async () => {
  const [one, other] = [await makeAuditChain(server, 5), await makeAuditChain(server, 3)]
  for (let i = 0; i < 2; i++) await recordHeads()
  expect((await listHeadEvents(one)).map(({ data }) => data.heads)).toEqual([
    [{ companyId: one, seq: 5, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  ])
  expect((await listHeadEvents(other))[0].data.heads).toMatchObject([{ companyId: other, seq: 3 }])
  await appendAuditEntries(server, one, 6, 7)
  await recordHeads('2026-03-30')
  expect((await listHeadEvents(one)).map(({ data }) => data.heads[0].seq)).toEqual([5, 7])
})

test('a received head proves that entries were removed together with the stored head', async () => {
  const id = await makeAuditChain(server, 6)
  await recordHeads()
  const [{ data }] = await listHeadEvents(id)
  const sheet = parseHeadsSnapshot(server.deps.secrets, 'reçu.json', JSON.stringify(data))
  expect(sheet.signed).toBe(true)
  const broken = async () =>
    (await verifyAudit(server.db, server.deps.secrets, [sheet])).find(({ companyId }) => companyId === id)?.broken
  expect(await broken()).toBeUndefined()
  await server.asOwner(`delete from audit_entries where company_id = ${id} and seq > 4`)
  await server.asOwner(`update audit_heads h set seq = e.seq, hash = e.hash from audit_entries e
    where e.company_id = h.company_id and h.company_id = ${id} and e.seq = 4`)
  expect(await broken()).toEqual({ seq: 5, fault: 'cut', sheet: 'reçu.json' })
})
