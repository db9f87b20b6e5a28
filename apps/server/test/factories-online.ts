import type { Db } from '../src/db/client.ts'
import { bankAccounts, onlineEvents, onlinePayments, onlineProviders } from '../src/db/schema/index.ts'
import type { createSecrets } from '../src/secrets.ts'
import { issueMonthDocuments, type MonthFixture, makeMonthFixture, withoutSubscribers } from './factories-invoices.ts'

const requireRow = <T>([row]: T[]): T => {
  if (!row) throw new Error('nothing was inserted')
  return row
}
type Secrets = ReturnType<typeof createSecrets>

/** A provider inserted as a row, without any call. */
export async function makeOnlineProvider(
  db: Db,
  {
    companyId,
    ownerId,
    name = 'Paiement en ligne',
    secrets,
  }: { companyId: number; ownerId: string; name?: string; secrets?: Secrets },
) {
  const account = requireRow(
    await db.insert(bankAccounts).values({ companyId, ownerId, name, kind: 'online' }).returning(),
  )
  const id = crypto.randomUUID()
  const sealed = secrets?.seal('sk_test_essai0001', `online key ${companyId} ${id}`) ?? 'sealed'
  const values = {
    companyId,
    id,
    ownerId,
    environment: 'local',
    key: sealed,
    hint: '0001',
    accountId: account.id,
    account: name,
  }
  return requireRow(await db.insert(onlineProviders).values(values).returning())
}

/** A payment attempt for the first invoice of its own month. */
export async function makeOnlinePayment(
  db: Db,
  more: { companyId: number; month?: MonthFixture; secrets?: Secrets; name?: string },
) {
  const { companyId, secrets, name } = more
  const month = more.month ?? (await makeMonthFixture(db, { companyId, members: 1 }))
  const { ids } = await issueMonthDocuments(withoutSubscribers(db), month)
  const provider = await makeOnlineProvider(db, {
    companyId,
    ownerId: month.seller.id,
    ...(secrets && { secrets }),
    ...(name && { name }),
  })
  const invoiceId = ids[0] ?? ''
  const checkoutId = `cs_test_${crypto.randomUUID().replaceAll('-', '')}`
  const page = { checkoutId, url: `https://exemple.fr/${name ?? 'payer'}`, expiresAt: new Date(Date.now() + 3_600_000) }
  const values = { companyId, providerId: provider.id, invoiceId, method: 'card', amount: 413, createdBy: 'Camille' }
  const payment = requireRow(
    await db
      .insert(onlinePayments)
      .values({ ...values, ...page })
      .returning(),
  )
  return { provider, payment, invoiceId, month }
}

/** A provider message that matches no attempt. */
export async function makeUnmatchedOnlineEvent(
  db: Db,
  { companyId, ownerId, about }: { companyId: number; ownerId: string; about: string },
) {
  const { id: providerId } = await makeOnlineProvider(db, { companyId, ownerId })
  const values = { companyId, providerId, eventId: `evt_${about}`, type: 'payment_intent.succeeded', at: new Date() }
  return requireRow(
    await db
      .insert(onlineEvents)
      .values({ ...values, intentId: `pi_${about}`, fact: 'paid', amount: 413 })
      .returning(),
  )
}
