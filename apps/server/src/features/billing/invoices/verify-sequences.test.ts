import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { runAuditVerifyCommand } from '../../../cli/audit.ts'
import { toCanonicalJson } from '../../../hash.ts'
import { verifyInvoiceSequences } from './index.ts'

const server = useServer()

async function issuedSeries(prefix: string) {
  const { id: companyId } = await makeCompany(server.db)
  await issueMonthDocuments(
    withoutSubscribers(server.db),
    await makeMonthFixture(server.db, { companyId, members: 3, prefix }),
    server.deps.secrets,
  )
  return companyId
}
const verdictOf = async (companyId: number) =>
  (await verifyInvoiceSequences(server.db, server.deps.secrets)).find((one) => one.companyId === companyId)

const SECOND = 'company_id = $1 and position = 2'
const forged = (path: string) => `update invoices set snapshot = jsonb_set(snapshot, '${path}', '"x"') where ${SECOND}`
const cases: [string, string, string, string][] = [
  ['a word of the snapshot', forged('{operation,pmoName}'), 'changed', '2'],
  ['the sum that lists show', `update invoices set gross = gross + 1 where ${SECOND}`, 'changed', '2'],
  ['its buyer', `update invoices set buyer_id = null where ${SECOND}`, 'changed', '2'],
  ['its number', `update invoices set number = 'X' where ${SECOND}`, 'changed', '2'],
  ['its link', `update invoices set previous_hash = 'x' where ${SECOND}`, 'changed', '2'],
  ['removed', `delete from invoices where ${SECOND}`, 'removed', '2'],
  ['the end cut', 'delete from invoices where company_id = $1 and position = 3', 'cut', '3'],
  ['a series that says another end', `update invoice_series set last_hash = 'x' where company_id = $1`, 'changed', '3'],
]

test.each(cases)('detects tampering by the database owner: %s', async (_, statement, fault, position) => {
  const companyId = await issuedSeries('SOL')
  expect(await verdictOf(companyId)).toMatchObject({ prefix: 'SOL', documents: 3 })
  expect((await verdictOf(companyId))?.broken).toBeUndefined()
  await server.asOwner(statement, [companyId])
  const broken = (await verdictOf(companyId))?.broken
  expect([broken?.fault, broken?.number.slice(-1)]).toEqual([fault, position])
})

test('detects a document dated before its predecessor, even with its chain recomputed', async () => {
  const companyId = await issuedSeries('DAT')
  const { rows } = await server.asOwner('select * from invoices where company_id = $1 and position = 3', [companyId])
  const snapshot = { ...rows[0].snapshot, issuedOn: '2020-01-01' }
  const hash = createHash('sha256')
    .update(`${rows[0].previous_hash}|${toCanonicalJson(snapshot)}`)
    .digest('hex')
  await server.asOwner(
    `update invoices set issued_on = '2020-01-01', snapshot = $2, hash = $3 where company_id = $1 and position = 3`,
    [companyId, JSON.stringify(snapshot), hash],
  )
  await server.asOwner('update invoice_series set last_hash = $2 where company_id = $1', [companyId, hash])
  expect((await verdictOf(companyId))?.broken).toMatchObject({ fault: 'dated' })
})

test('names the broken document in voisol audit verify', async () => {
  const companyId = await issuedSeries('CLI')
  const heard = async () => {
    const lines: string[] = []
    const said = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
    const ok = await runAuditVerifyCommand(server.deps, {}).finally(() => said.mockRestore())
    return { ok, text: lines.join('\n') }
  }
  const year = (await verdictOf(companyId))?.year
  await waitForJobs(server)
  expect((await heard()).text).toContain('✓ Factures signées depuis le ')
  expect((await heard()).text).toContain(`✓ Factures CLI${year} (organisation ${companyId})\u00a0: 3 documents`)
  await server.asOwner(forged('{mentions}'), [companyId])
  const { ok, text } = await heard()
  expect(ok).toBe(false)
  expect(text).toContain(
    `✗ Factures CLI${year} (organisation ${companyId})\u00a0: le document CLI${year}-00002 est rompu, il n’est plus tel qu’il a été émis.`,
  )
})
