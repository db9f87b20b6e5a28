import { randomBytes } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { rechainSeries } from '../../../../test/rechain.ts'
import { useServer } from '../../../../test/server.ts'
import { checkInvoices } from '../../../cli/doctor/invoices.ts'
import { invoiceAnchors } from '../../../db/schema/index.ts'
import { createSecrets, type Secrets } from '../../../secrets.ts'
import { anchorRotatedSequences, anchorUpgradedSequences } from './anchor.ts'
import { signAnchor } from './chain.ts'
import { verifyInvoiceSequences } from './invoices.ts'

const server = useServer()
afterEach(() => vi.restoreAllMocks())

async function makeSeries(prefix: string, secrets: Secrets = server.deps.secrets) {
  const { id: companyId } = await makeCompany(server.db)
  const world = await makeMonthFixture(server.db, { companyId, members: 3, prefix })
  await issueMonthDocuments(withoutSubscribers(server.db), world, secrets)
  const issueNext = (month: string, by: Secrets = secrets) =>
    issueMonthDocuments(withoutSubscribers(server.db), { ...world, input: { ...world.input, month } }, by)
  return { companyId, issueNext }
}
const findFault = async (companyId: number, secrets: Secrets = server.deps.secrets) => {
  const verdict = (await verifyInvoiceSequences(server.db, secrets)).find((one) => one.companyId === companyId)
  expect(verdict).toBeDefined()
  return verdict?.broken && `${verdict.broken.fault} ${verdict.broken.number.slice(-1)}`
}

/** As the version before left a database: no signature, and nothing that says that there ever were some. */
async function returnToEarlierVersion() {
  await waitForJobs(server)
  await server.asOwner('update invoices set signature = null')
  await server.asOwner('delete from invoice_anchors')
  await server.asOwner(`delete from audit_entries where action = 'voisol anchor-invoices'`)
}
const inDays = (days: number) => {
  const at = Date.now() + days * 86_400_000
  vi.spyOn(Date, 'now').mockReturnValue(at)
}

test('a series issued here: verifies with its key, and with no other', async () => {
  const { companyId } = await makeSeries('OWN')
  expect(await findFault(companyId)).toBeUndefined()
  expect(await findFault(companyId, createSecrets(randomBytes(32)))).toBe('unsigned 1')
})

test.each([
  ['keeps the signatures', 'keep'],
  ['removes the signatures', 'strip'],
  ['signs with a key of their own', createSecrets(randomBytes(32))],
] as const)('a series chained anew by the owner of the database, who %s: is found', async (_, sign) => {
  const { companyId } = await makeSeries('CHN')
  await waitForJobs(server)
  await rechainSeries(server, companyId, { from: 2, sign })
  inDays(2)
  expect(await findFault(companyId)).toBe('unsigned 2')
  // Hashes alone are whole.
  expect((await verifyInvoiceSequences(server.db)).find((one) => one.companyId === companyId)?.broken).toBeUndefined()
})

test('series issued before signatures: verify after the upgrade, and a past chained anew is found', async () => {
  const { companyId, issueNext } = await makeSeries('OLD')
  const other = await makeSeries('OTH')
  await returnToEarlierVersion()
  expect(await findFault(companyId)).toBe('unsigned 1')
  expect((await checkInvoices(server.deps)).map(({ level }) => level)).toEqual(['fault'])
  await anchorUpgradedSequences(server.deps)
  await anchorUpgradedSequences(server.deps)
  const { rows } = await server.asOwner('select position from invoice_anchors where company_id = $1', [companyId])
  expect(rows).toEqual([{ position: 3 }])
  await issueNext('2026-07')
  inDays(2)
  expect(await findFault(companyId)).toBeUndefined()
  expect((await checkInvoices(server.deps)).map(({ level }) => level)).toEqual(['ok'])
  await rechainSeries(server, companyId)
  expect(await findFault(companyId)).toBe('anchored 3')
  expect(await findFault(other.companyId)).toBeUndefined()
})

test('the anchor of a series removed with its signatures: what is issued there is never anchored again', async () => {
  const { companyId } = await makeSeries('AGA')
  await returnToEarlierVersion()
  await anchorUpgradedSequences(server.deps)
  await rechainSeries(server, companyId, { sign: 'strip' })
  await server.asOwner('delete from invoice_anchors where company_id = $1', [companyId])
  inDays(2)
  await anchorUpgradedSequences(server.deps)
  expect(await findFault(companyId)).toBe('unsigned 1')
  // Nor where the row that says when it was done is removed too: the audit still says so.
  await server.asOwner('delete from invoice_anchors')
  const error = vi.spyOn(server.deps.log, 'error')
  await anchorUpgradedSequences(server.deps)
  expect(error).toHaveBeenCalledTimes(1)
  expect(await findFault(companyId)).toBe('unsigned 1')
})

test('an anchor that the owner of the database writes: is not believed', async () => {
  const { companyId } = await makeSeries('FRG')
  await waitForJobs(server)
  await rechainSeries(server, companyId, { sign: 'strip' })
  await server.asOwner(
    `insert into invoice_anchors (company_id, series_id, position, hash, kind, anchored_at, signature)
     select company_id, id, last, last_hash, 'upgrade', now(), 'c2lnbmF0dXJl' from invoice_series where company_id = $1`,
    [companyId],
  )
  inDays(2)
  expect(await findFault(companyId)).toBe('unsigned 1')
})

test('what a server of the version before still issues on the day of the upgrade: is anchored within the day', async () => {
  const { companyId, issueNext } = await makeSeries('DAY')
  await returnToEarlierVersion()
  await anchorUpgradedSequences(server.deps)
  await issueNext('2026-07')
  await server.asOwner('update invoices set signature = null where company_id = $1 and position = 4', [companyId])
  expect(await findFault(companyId)).toBeUndefined()
  await anchorUpgradedSequences(server.deps)
  await issueNext('2026-08')
  inDays(2)
  expect(await findFault(companyId)).toBeUndefined()
  await server.asOwner('update invoices set signature = null where company_id = $1 and position = 9', [companyId])
  expect(await findFault(companyId)).toBe('unsigned 9')
})

test('the end of a series cut below what was anchored, its counter set back: is found', async () => {
  const { companyId } = await makeSeries('CUT')
  await returnToEarlierVersion()
  await anchorUpgradedSequences(server.deps)
  await server.asOwner('delete from invoices where company_id = $1 and position = 3', [companyId])
  await server.asOwner(
    `update invoice_series set last = 2, last_hash = (select hash from invoices where company_id = $1 and position = 2)
      where company_id = $1`,
    [companyId],
  )
  expect(await findFault(companyId)).toBe('cut 3')
})

test('the key changed: earlier documents verify, and whoever has the former key can sign no other past', async () => {
  const { companyId, issueNext } = await makeSeries('ROT')
  const former = server.deps.secrets
  const rotated = createSecrets(randomBytes(32), [server.deps.config.secretKey])
  expect(await findFault(companyId, rotated)).toBeUndefined()
  const own = async () => {
    const { rows } = await server.asOwner('select kind, position from invoice_anchors where company_id = $1', [
      companyId,
    ])
    return rows
  }
  await anchorRotatedSequences({ db: server.db, secrets: rotated })
  // Begun again, it finds that all is done.
  await anchorRotatedSequences({ db: server.db, secrets: rotated })
  expect(await own()).toEqual([{ kind: 'rotation', position: 3 }])
  await issueNext('2026-07', rotated)
  expect(await findFault(companyId, rotated)).toBeUndefined()
  await rechainSeries(server, companyId, { from: 2, sign: former })
  expect(await findFault(companyId, rotated)).toBe('anchored 3')
})

test('the former key forgotten after the key was changed: what it signed still verifies, and no other past does', async () => {
  const { companyId, issueNext } = await makeSeries('GON')
  const old = await makeSeries('GOL')
  await waitForJobs(server)
  // One whose documents are of before signatures.
  await server.asOwner('update invoices set signature = null where company_id = $1', [old.companyId])
  await server.asOwner(`delete from invoice_anchors where company_id = 0`)
  await server.asOwner(`delete from audit_entries where action = 'voisol anchor-invoices'`)
  await anchorUpgradedSequences(server.deps)
  const [second, third] = [randomBytes(32), randomBytes(32)]
  const former = server.deps.config.secretKey
  await anchorRotatedSequences({ db: server.db, secrets: createSecrets(second, [former]) })
  const now = createSecrets(second)
  await issueNext('2026-07', now)
  inDays(2)
  expect(await findFault(companyId, now)).toBeUndefined()
  expect(await findFault(old.companyId, now)).toBeUndefined()
  vi.restoreAllMocks()
  // Changed a second time, the first key being unknown by then.
  await anchorRotatedSequences({ db: server.db, secrets: createSecrets(third, [second]) })
  const last = createSecrets(third)
  inDays(2)
  expect(await findFault(companyId, last)).toBeUndefined()
  expect(await findFault(old.companyId, last)).toBeUndefined()
  const error = vi.spyOn(server.deps.log, 'error')
  await anchorUpgradedSequences({ ...server.deps, secrets: last })
  expect(error).not.toHaveBeenCalled()
  await rechainSeries(server, old.companyId, { from: 2, sign: 'strip' })
  expect(await findFault(old.companyId, last)).toBe('anchored 3')
  // What is signed by nobody after the anchor is not vouched for.
  await server.asOwner(`update invoices set signature = 'x' where company_id = $1 and position = 4`, [companyId])
  await server.asOwner(`delete from invoice_anchors where company_id = $1 and position > 3`, [companyId])
  expect(await findFault(companyId, last)).toMatch(/^unsigned/)
})

test('a rotation anchor written with a former key: vouches for no document whose key is unknown', async () => {
  const former = server.deps.secrets
  const rotated = createSecrets(randomBytes(32), [server.deps.config.secretKey])
  const { companyId } = await makeSeries('FAN', createSecrets(randomBytes(32)))
  const { rows } = await server.asOwner(
    `select company_id as "companyId", id as "seriesId", last as position, last_hash as hash from invoice_series where company_id = $1`,
    [companyId],
  )
  const anchor = { ...rows[0], kind: 'rotation', anchoredAt: new Date() }
  await server.db.insert(invoiceAnchors).values({ ...anchor, signature: signAnchor(former, anchor) })
  expect(await findFault(companyId, rotated)).toBe('unsigned 1')
})

test('a document signed with the former key after one of the new key: is found', async () => {
  const former = server.deps.secrets
  const rotated = createSecrets(randomBytes(32), [server.deps.config.secretKey])
  const { companyId, issueNext } = await makeSeries('AFT', rotated)
  await issueNext('2026-07', former)
  expect(await findFault(companyId, rotated)).toBe('unsigned 4')
})

test('a series that no key of ours signed: changing the key does not vouch for it', async () => {
  const { companyId } = await makeSeries('NOT', createSecrets(randomBytes(32)))
  const rotated = createSecrets(randomBytes(32), [server.deps.config.secretKey])
  const { unsigned } = await anchorRotatedSequences({ db: server.db, secrets: rotated })
  expect(unsigned.some((name) => name.includes(`organisation ${companyId}`))).toBe(true)
  expect(await findFault(companyId, rotated)).toBe('unsigned 1')
})
