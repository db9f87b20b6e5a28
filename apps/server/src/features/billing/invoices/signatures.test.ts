import { randomBytes } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { makeCompany } from '../../../../test/factories.ts'
import { rechainSeries } from '../../../../test/factories-audit.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { checkInvoices } from '../../../cli/doctor/check-stored-data.ts'
import { invoiceAnchors } from '../../../db/schema/index.ts'
import { createSecrets, type Secrets } from '../../../secrets.ts'
import { verifyInvoiceSequences } from './index.ts'
import { signAnchor } from './invoice-sequence.ts'
import { anchorRotatedSequences, anchorUpgradedSequences } from './sequence-anchors.ts'

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

/** Restores the database as the previous version left it: no signature and no anchor. */
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

test('verifies a series with the key it was issued under, and with no other', async () => {
  const { companyId } = await makeSeries('OWN')
  expect(await findFault(companyId)).toBeUndefined()
  expect(await findFault(companyId, createSecrets(randomBytes(32)))).toBe('unsigned 1')
})

test.each([
  ['keeps the signatures', 'keep'],
  ['removes the signatures', 'strip'],
  ['signs with a key of their own', createSecrets(randomBytes(32))],
] as const)('detects a series chained anew by the database owner, who %s', async (_, sign) => {
  const { companyId } = await makeSeries('CHN')
  await waitForJobs(server)
  await rechainSeries(server, companyId, { from: 2, sign })
  inDays(2)
  expect(await findFault(companyId)).toBe('unsigned 2')
  // The hashes alone are consistent.
  expect((await verifyInvoiceSequences(server.db)).find((one) => one.companyId === companyId)?.broken).toBeUndefined()
})

test('verifies series from before signatures after the upgrade, and detects a past chained anew', async () => {
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

test('never anchors a series again once its anchor and signatures were removed', async () => {
  const { companyId } = await makeSeries('AGA')
  await returnToEarlierVersion()
  await anchorUpgradedSequences(server.deps)
  await rechainSeries(server, companyId, { sign: 'strip' })
  await server.asOwner('delete from invoice_anchors where company_id = $1', [companyId])
  inDays(2)
  await anchorUpgradedSequences(server.deps)
  expect(await findFault(companyId)).toBe('unsigned 1')
  // Neither does it when the upgrade row is removed too: the audit log still records it.
  await server.asOwner('delete from invoice_anchors')
  const error = vi.spyOn(server.deps.log, 'error')
  await anchorUpgradedSequences(server.deps)
  expect(error).toHaveBeenCalledTimes(1)
  expect(await findFault(companyId)).toBe('unsigned 1')
})

test('ignores an anchor written by the database owner', async () => {
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

test('anchors what a server of the previous version still issues on the day of the upgrade', async () => {
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

test('detects a series cut below its anchor with its counter set back', async () => {
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

test('verifies earlier documents after a key change, and detects forgeries made with the former key', async () => {
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
  // A second run finds everything done.
  await anchorRotatedSequences({ db: server.db, secrets: rotated })
  expect(await own()).toEqual([{ kind: 'rotation', position: 3 }])
  await issueNext('2026-07', rotated)
  expect(await findFault(companyId, rotated)).toBeUndefined()
  await rechainSeries(server, companyId, { from: 2, sign: former })
  expect(await findFault(companyId, rotated)).toBe('anchored 3')
})

test('verifies documents of a deleted former key after rotation, and detects a forged past', async () => {
  const { companyId, issueNext } = await makeSeries('GON')
  const old = await makeSeries('GOL')
  await waitForJobs(server)
  // A company whose documents are from before signatures.
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
  // A second rotation, when the first key is no longer known.
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
  // A document after the anchor without a valid signature is not accepted.
  await server.asOwner(`update invoices set signature = 'x' where company_id = $1 and position = 4`, [companyId])
  await server.asOwner(`delete from invoice_anchors where company_id = $1 and position > 3`, [companyId])
  expect(await findFault(companyId, last)).toMatch(/^unsigned/)
})

test('ignores a rotation anchor written with a former key for documents of an unknown key', async () => {
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

test('detects a document signed with the former key after one of the new key', async () => {
  const former = server.deps.secrets
  const rotated = createSecrets(randomBytes(32), [server.deps.config.secretKey])
  const { companyId, issueNext } = await makeSeries('AFT', rotated)
  await issueNext('2026-07', former)
  expect(await findFault(companyId, rotated)).toBe('unsigned 4')
})

test('does not confirm a series that no key of ours signed when the key changes', async () => {
  const { companyId } = await makeSeries('NOT', createSecrets(randomBytes(32)))
  const rotated = createSecrets(randomBytes(32), [server.deps.config.secretKey])
  const { unsigned } = await anchorRotatedSequences({ db: server.db, secrets: rotated })
  expect(unsigned.some((name) => name.includes(`organisation ${companyId}`))).toBe(true)
  expect(await findFault(companyId, rotated)).toBe('unsigned 1')
})
