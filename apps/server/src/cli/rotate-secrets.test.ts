import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '../../test/factories.ts'
import { appendAuditEntries } from '../../test/factories-audit.ts'
import { makeMeter } from '../../test/factories-energy.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../test/factories-invoices.ts'
import { useServer } from '../../test/server.ts'
import { participants, users, webhooks } from '../db/schema/index.ts'
import { verifyInvoiceSequences } from '../features/billing/invoices/index.ts'
import { verifyAudit } from '../features/identity/audit/index.ts'
import { appendAudit } from '../http/audit.ts'
import { createSecrets } from '../secrets.ts'
import { rotateAllSecrets, SEALED_COLUMNS } from './rotate-secrets.ts'

const server = useServer()
const SOURCE = join(import.meta.dirname, '..')
/** Short-lived sealed values: they expire, and can be opened as long as the former key is configured. */
const PASSING = [
  'http/idempotency.ts',
  'features/identity/auth/change-password.ts',
  'features/identity/mail/mail.ts',
  'features/identity/sso/sso-sign-in.ts',
]
const LASTING = [
  'features/admin/backups/company-import.ts',
  'features/admin/connections/connections.ts',
  'features/admin/webhooks/webhooks.ts',
  'features/enedis/credentials/credentials.ts',
  'features/enedis/sync/sync-settings.ts',
  'features/energy/participants/edit-participant.ts',
  'features/payments/mandates/bank-accounts.ts',
  'features/payments/online/providers.ts',
  'features/billing/parties/change-seller.ts',
  'features/identity/auth/second-factor.ts',
  'features/identity/sso/sso.ts',
  'cli/rotate-secrets.ts',
]

test('the table lists existing columns, and covers every place that seals a value', async () => {
  const { rows } = await server.asOwner(
    `select table_name || '.' || column_name as name from information_schema.columns`,
  )
  const there = new Set(rows.map(({ name }) => name))
  expect(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).filter((name) => !there.has(name))).toEqual([])
  const sealing = globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !file.endsWith('.test.ts') && /\bsecrets\.seal\(/.test(readFileSync(join(SOURCE, file), 'utf8')))
    .sort()
  expect(sealing).toEqual([...PASSING, ...LASTING].sort())
})

test('values sealed by the former key open with the new one; the audit chain stays valid', async () => {
  const { db, deps } = server
  const old = deps.secrets
  const user = await makeUser(db)
  await db
    .update(users)
    .set({ totpSecret: old.seal('JBSWY3DP', `totp ${user.id}`) })
    .where(eq(users.id, user.id))
  await makeMeter(db, { companyId: user.companyId })
  const [person] = await db.select().from(participants).where(eq(participants.companyId, user.companyId))
  const id = person?.id ?? ''
  const place = `iban ${user.companyId} ${id}`
  await db
    .update(participants)
    .set({ iban: old.seal('FR7630006000011234567890189', place) })
    .where(eq(participants.id, id))
  const hook = {
    companyId: user.companyId,
    url: 'https://exemple.fr/crochet',
    events: ['ping'],
    secret: 'nobody opens this',
  }
  await db.insert(webhooks).values(hook)
  await appendAuditEntries(server, user.companyId, 1, 3)
  const month = await makeMonthFixture(db, { companyId: user.companyId, prefix: 'ROT' })
  await issueMonthDocuments(withoutSubscribers(db), month, old)

  const key = randomBytes(32)
  const both = createSecrets(key, [deps.config.secretKey])
  const after = {
    ...deps,
    secrets: both,
    config: { ...deps.config, secretKey: key, formerKeys: [deps.config.secretKey] },
  }
  expect(both.open((await loadSealedIban(id)) ?? '', place)).toBe('FR7630006000011234567890189')
  expect(await rotateAllSecrets(after)).toEqual({
    sealed: 2,
    unreadable: ['webhooks.secret (1)'],
    series: 1,
    unsigned: [],
  })
  expect((await verifyInvoiceSequences(db, both)).map(({ broken }) => broken)).toEqual([undefined])
  const alone = createSecrets(key)
  expect(alone.open((await loadSealedIban(id)) ?? '', place)).toBe('FR7630006000011234567890189')
  const [again] = await db.select().from(users).where(eq(users.id, user.id))
  expect(alone.open(again?.totpSecret ?? '', `totp ${user.id}`)).toBe('JBSWY3DP')
  // A second run finds nothing to do.
  expect(await rotateAllSecrets(after)).toMatchObject({ sealed: 0, series: 0, unsigned: [] })

  const chain = async (secrets: typeof both) =>
    (await verifyAudit(db, secrets)).find(({ companyId }) => companyId === user.companyId)
  expect(await chain(both)).toMatchObject({ links: 5 })
  expect((await chain(both))?.broken).toBeUndefined()
  expect((await chain(alone))?.broken).toMatchObject({ seq: 1, fault: 'changed' })
  // The former key can no longer sign after the new one.
  await appendAudit(db, old, {
    companyId: user.companyId,
    userId: null,
    actor: 'x',
    action: 'x',
    label: 'x',
    target: '',
    outcome: 'done',
    detail: {},
    requestId: 'x',
    ip: '',
  })
  expect((await chain(both))?.broken).toMatchObject({ seq: 6, fault: 'changed' })
})

async function loadSealedIban(id: string) {
  const [row] = await server.db.select().from(participants).where(eq(participants.id, id))
  return row?.iban
}
