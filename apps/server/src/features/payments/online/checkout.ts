import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import {
  MIN_ONLINE_PAYMENT_CENTS,
  type OnlineCheckout,
  type OnlineMethod,
  type TestPayment,
} from '@voisol/contract/online-views'
import { formatEuros, formatLongDay } from '@voisol/documents/number-and-date-formats'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { invoices, onlinePayments, onlineProviders, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { createStripeProvider } from '../../../integrations/payments/stripe.ts'
import { type InvoiceRecord, invoiceScope, loadInvoice, loadOpenAmounts } from '../../billing/invoices/index.ts'
import { loadSellers } from '../../billing/parties/index.ts'
import { listAttempts, loadOnlinePayment } from './list-online-payments.ts'
import { computePaymentStatus, processNotice } from './process-notice.ts'
import {
  createClientOfProvider,
  findProviderForSeller,
  getProviderEnvironment,
  loadProvider,
  type ProviderRow,
  registerWebhook,
  withProviderErrors,
} from './providers.ts'

type CheckoutDeps = Pick<Deps, 'secrets' | 'payments'>

const loadOpenAmount = async (db: Db, { companyId, id, buyerId }: InvoiceRecord): Promise<number> =>
  (await loadOpenAmounts(db, companyId, buyerId ? [buyerId] : undefined)).get(id) ?? 0

const listMethods = ({ card, debit }: ProviderRow): OnlineMethod[] => [
  ...(card ? (['card'] as const) : []),
  ...(debit ? (['debit'] as const) : []),
]

/** Why an invoice cannot be paid online; empty when it can. */
function findRefusal({ snapshot }: InvoiceRecord, open: number, provider: ProviderRow | undefined): string {
  const { kind, number, seller } = snapshot
  if (kind === 'statement' || kind === 'creditNote')
    return `${INVOICE_KIND_LABELS[kind]} ${number}\u00a0: il n’y a rien à payer.`
  if (open <= 0) return `La facture ${number} est déjà réglée\u00a0: il n’y a plus rien à payer.`
  if (open < MIN_ONLINE_PAYMENT_CENTS)
    return `Un paiement en ligne demande au moins ${formatEuros(MIN_ONLINE_PAYMENT_CENTS)}\u00a0: réglez ces ${formatEuros(open)} par virement, ou avec la prochaine facture.`
  if (!provider)
    return `${seller.name} n’encaisse pas encore en ligne. Réglez cette facture comme il y est écrit, par virement par exemple.`
  return ''
}

export async function loadCheckout(db: Db, actor: Actor, invoiceId: string): Promise<OnlineCheckout> {
  const invoice = await loadInvoice(db, actor, invoiceId)
  const { id, number, companyId, sellerId, snapshot, gross } = invoice
  const [open, provider] = [await loadOpenAmount(db, invoice), await findProviderForSeller(db, companyId, sellerId)]
  const attempts = await listAttempts(db, companyId, id)
  const { kind, seller, buyer, from, to, dueOn } = snapshot
  const [last] = attempts
  return {
    invoice: { id, number, kind, seller: seller.name, buyer: buyer.name, from, to, dueOn, gross, open },
    methods: provider ? listMethods(provider) : [],
    sandbox: provider ? getProviderEnvironment(provider) === 'local' : false,
    pending: attempts.find(({ state }) => state === 'open' || state === 'processing') ?? null,
    failed: last?.state === 'failed' ? last : null,
    refusal: findRefusal(invoice, open, provider),
  }
}

/** The provider sends its receipt to this address. */
async function loadPayerEmail(tx: Db, { companyId, buyerId }: InvoiceRecord): Promise<string> {
  if (!buyerId) return ''
  const [buyer] = await tx
    .select({ email: participants.email })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, buyerId)))
  return buyer?.email ?? ''
}

/** The pages the payer returns to: in the portal or in the back office. */
function buildReturnUrls(actor: Actor, origin: string, invoiceId: string, id: string) {
  const portal = actor.space === 'portal'
  return {
    successUrl: `${origin}${portal ? '/client-portal/payment-success' : '/dashboard/invoices/success'}?paiement=${id}`,
    cancelUrl: `${origin}${portal ? '/client-portal/checkout/' : '/dashboard/payment/'}${invoiceId}?retour=1`,
  }
}

/** One attempt per invoice at a time: a concurrent call waits here and finds the first one. */
const lockInvoicePayment = (tx: Db, { companyId, id }: InvoiceRecord) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`online pay ${companyId} ${id}`}, 0))`)

type OpenPaymentInput = { method: OnlineMethod; amount: number }

/** Refuses a payment that is not possible now, with a sentence for the reader. */
async function requirePayable(tx: Db, invoice: InvoiceRecord, input: OpenPaymentInput): Promise<ProviderRow> {
  const { companyId, sellerId, id, snapshot } = invoice
  const [open, provider] = [await loadOpenAmount(tx, invoice), await findProviderForSeller(tx, companyId, sellerId)]
  const refusal = findRefusal(invoice, open, provider)
  if (refusal || !provider) throw new AppError('conflict', { message: refusal })
  const pending = (await listAttempts(tx, companyId, id)).find(
    ({ state }) => state === 'open' || state === 'processing',
  )
  if (pending?.state === 'processing')
    throw new AppError('conflict', {
      message: `Un prélèvement de ${formatEuros(pending.amount)} est en cours pour cette facture depuis le ${formatLongDay(pending.startedAt.slice(0, 10))}\u00a0: attendez sa réponse avant de payer autrement.`,
    })
  if (pending)
    throw new AppError('in-progress', {
      message:
        'Un paiement de cette facture est déjà ouvert\u00a0: reprenez-le, ou abandonnez-le pour en ouvrir un autre.',
    })
  if (input.amount !== open)
    throw new AppError('conflict', {
      message: `Le montant a changé entre-temps\u00a0: il reste ${formatEuros(open)} à payer sur ${snapshot.number}, et non ${formatEuros(input.amount)}. Vérifiez-le, puis recommencez.`,
    })
  if (!listMethods(provider).includes(input.method))
    throw new AppError('conflict', { message: `${snapshot.seller.name} ne propose pas ce moyen de paiement.` })
  return provider
}

export async function startOnlinePayment(
  tx: Db,
  deps: CheckoutDeps,
  actor: Actor,
  invoiceId: string,
  input: OpenPaymentInput,
  origin: string,
) {
  const invoice = await loadInvoice(tx, actor, invoiceId)
  await lockInvoicePayment(tx, invoice)
  const found = await requirePayable(tx, invoice, input)
  // The simulated provider loses its webhooks when the demo restarts, so its webhook is registered again.
  const provider =
    getProviderEnvironment(found) === 'local'
      ? await withProviderErrors(registerWebhook(tx, deps, found, origin))
      : found
  const { companyId } = invoice
  const id = crypto.randomUUID()
  const label = `${INVOICE_KIND_LABELS[invoice.snapshot.kind]} ${invoice.number}, ${invoice.snapshot.seller.name}`
  const order = { ...input, reference: id, label, email: await loadPayerEmail(tx, invoice) }
  const made = await withProviderErrors(
    createClientOfProvider(deps, provider).createCheckout({
      ...order,
      ...buildReturnUrls(actor, origin, invoiceId, id),
    }),
  )
  const about = { companyId, id, providerId: provider.id, invoiceId, createdBy: formatActorName(actor) }
  const page = { checkoutId: made.id, url: made.url, expiresAt: made.expiresAt }
  await tx.insert(onlinePayments).values({ ...about, ...page, method: input.method, amount: input.amount })
  return loadOnlinePayment(tx, actor, id)
}

/** Not locked here: messages of the provider take their own locks, in their own order. */
async function loadPaymentWithProvider(tx: Db, actor: Actor, id: string) {
  const view = await loadOnlinePayment(tx, actor, id)
  const [row] = await tx
    .select()
    .from(onlinePayments)
    .where(and(eq(onlinePayments.companyId, actor.companyId), eq(onlinePayments.id, id)))
  if (!row) throw new AppError('not-found')
  return { view, row, provider: await loadProvider(tx, actor.companyId, row.providerId) }
}

/** Closes the provider's page first, since only a payment that it can no longer take may be cancelled. */
export async function cancelOnlinePayment(tx: Db, deps: CheckoutDeps, actor: Actor, id: string) {
  const { view, row, provider } = await loadPaymentWithProvider(tx, actor, id)
  if (view.state !== 'open')
    throw new AppError('conflict', { message: 'Ce paiement n’est plus ouvert\u00a0: il ne peut plus être abandonné.' })
  const client = createClientOfProvider(deps, provider)
  await client.closeCheckout(row.checkoutId).catch(() => {})
  for (const notice of await withProviderErrors(client.fetch(row.checkoutId))) await processNotice(tx, provider, notice)
  const after = await loadOnlinePayment(tx, actor, id)
  if (after.state === 'open')
    throw new AppError('conflict', { message: 'Le prestataire garde cette page ouverte. Réessayez dans un instant.' })
  return after
}

/** Asks the provider for a refund; its message then updates the account. */
export async function refundOnlinePayment(tx: Db, deps: CheckoutDeps, actor: Actor, id: string, amount: number) {
  const { view, row, provider } = await loadPaymentWithProvider(tx, actor, id)
  if (!row.intentId || (view.state !== 'paid' && view.state !== 'partly'))
    throw new AppError('conflict', { message: 'Ce paiement n’est pas là\u00a0: il n’y a rien à rembourser.' })
  if (amount > row.net)
    throw new AppError('conflict', {
      message: `Il ne reste que ${formatEuros(row.net)} de ce paiement\u00a0: ${formatEuros(amount)} ne peuvent pas être remboursés.`,
    })
  // The same order given twice before the provider's message arrives is one refund.
  const key = `refund ${id} ${row.net} ${amount}`
  await withProviderErrors(createClientOfProvider(deps, provider).refund({ intent: row.intentId, amount, key }))
  return view
}

/** Sellers of the invoices that the actor may read; all sellers for an office user without a limit. */
async function loadReadableSellerIds(db: Db, actor: Actor): Promise<string[]> {
  if (actor.space === 'office' && actor.operationIds === null)
    return (await loadSellers(db, actor.companyId)).map(({ id }) => id)
  const rows = await db.selectDistinct({ id: invoices.sellerId }).from(invoices).where(invoiceScope(actor))
  return rows.map(({ id }) => id)
}

/**
 * Sellers that can be paid online, by their own provider or the organiser's. A portal user sees those they buy from.
 */
export async function loadPayableSellerIds(db: Db, actor: Actor): Promise<string[]> {
  const rows = await db
    .select({ ownerId: onlineProviders.ownerId, everyone: onlineProviders.everyone })
    .from(onlineProviders)
    .where(and(eq(onlineProviders.companyId, actor.companyId), sql`${onlineProviders.closedAt} is null`))
  const readable = await loadReadableSellerIds(db, actor)
  if (rows.some(({ everyone }) => everyone)) return readable
  const paid = new Set(rows.map(({ ownerId }) => ownerId))
  return readable.filter((id) => paid.has(id))
}

/**
 * Closes an open payment page of an invoice paid otherwise, since it could take the money twice, and processes the
 * provider's answer.
 */
export async function closePaidCheckout(
  deps: Deps,
  { companyId, id }: { companyId: number; id: string },
): Promise<void> {
  const db = scopeToCompany(deps.db, companyId)
  const [row] = await db
    .select()
    .from(onlinePayments)
    .where(and(eq(onlinePayments.companyId, companyId), eq(onlinePayments.id, id)))
  if (row?.state !== 'open') return
  const open = (await loadOpenAmounts(db, companyId)).get(row.invoiceId) ?? 0
  if (open === row.amount) return
  const provider = await loadProvider(db, companyId, row.providerId)
  const client = createClientOfProvider(deps, provider)
  await client.closeCheckout(row.checkoutId).catch(() => {})
  for (const notice of await client.fetch(row.checkoutId))
    await transaction(db, (tx) => processNotice(tx, provider, notice))
}

/** A test key for no real invoice or account. */
const TEST_KEY = 'sk_test_essaispublics'
const TEST_AMOUNT = 4217

/** Only on the simulated provider, which production does not have. */
function createTestClient({ payments, config }: Pick<Deps, 'payments' | 'config'>) {
  const host = payments.hosts.local
  if (config.production || !host) throw new AppError('not-found')
  return createStripeProvider({ host, key: TEST_KEY })
}

export async function startTestPayment(
  deps: Pick<Deps, 'payments' | 'config'>,
  method: OnlineMethod,
  origin: string,
): Promise<TestPayment> {
  const back = `${origin}/test-payments`
  const order = { reference: crypto.randomUUID(), amount: TEST_AMOUNT, method, label: 'Paiement d’essai', email: '' }
  const made = await withProviderErrors(
    createTestClient(deps).createCheckout({ ...order, successUrl: `${back}?essai=ok`, cancelUrl: back }),
  )
  return { id: made.id, url: made.url, state: 'open', amount: TEST_AMOUNT }
}

export async function loadTestPayment(deps: Pick<Deps, 'payments' | 'config'>, id: string): Promise<TestPayment> {
  const notices = await withProviderErrors(createTestClient(deps).fetch(id))
  const { state } = computePaymentStatus(notices.flatMap(({ fact }) => (fact ? [fact] : [])))
  return { id, url: null, state, amount: TEST_AMOUNT }
}
