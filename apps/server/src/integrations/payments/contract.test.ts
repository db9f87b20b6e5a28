import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  SIMULATOR_PAYMENT_KEY,
  startTestPaymentSimulator,
  submitPaymentForm,
  type TestPaymentSimulator,
  VALID_CARD,
} from '../../../test/payment-simulator.ts'
import { type OnlineProvider, PaymentError, type PaymentOrder } from './payment-provider.ts'
import { createStripeProvider } from './stripe.ts'

/** The real provider, when the address and key of its test mode are given. */
const { STRIPE_CONTRACT_HOST = '', STRIPE_CONTRACT_KEY = '' } = process.env

const order = (more: Partial<PaymentOrder> = {}): PaymentOrder => ({
  reference: crypto.randomUUID(),
  amount: 1237,
  method: 'card',
  label: 'Facture SOL-2026-00017',
  email: 'lea@exemple.fr',
  successUrl: 'http://127.0.0.1:9/client-portal/payment-success',
  cancelUrl: 'http://127.0.0.1:9/client-portal/checkout/x',
  ...more,
})
const catchFaultNature = async (work: Promise<unknown>) => {
  const error = await work.catch((reason: unknown) => reason)
  if (!(error instanceof PaymentError)) throw new Error(`no fault: ${JSON.stringify(error)}`)
  return error.nature
}

/** Behaviour common to the simulator and the real provider: nothing here needs a payer. */
function common(open: (key?: string) => OnlineProvider) {
  test('a valid key gives its account, another is refused as such', async () => {
    expect((await open().check()).account).toMatch(/^acct_/)
    expect(await catchFaultNature(open('sk_test_').check())).toBe('auth')
  })

  test('the same attempt gives the same payment page; once closed, it has expired', async () => {
    const wanted = order()
    const made = await open().createCheckout(wanted)
    expect(made.url).toMatch(/^https?:/)
    expect(made.expiresAt.getTime()).toBeGreaterThan(Date.now())
    expect((await open().createCheckout(wanted)).id).toBe(made.id)
    expect(await open().fetch(made.id)).toEqual([])
    await open().closeCheckout(made.id)
    const [expired] = await open().fetch(made.id)
    expect(expired).toMatchObject({ checkout: made.id, reference: wanted.reference, fact: { kind: 'expired' } })
    expect(await catchFaultNature(open().closeCheckout(made.id))).toBe('refused')
  })

  test('an invalid request is refused', async () => {
    expect(await catchFaultNature(open().createCheckout(order({ amount: 12 })))).toBe('refused')
    expect(await catchFaultNature(open().refund({ intent: 'pi_nobody', amount: 100, key: crypto.randomUUID() }))).toBe(
      'refused',
    )
  })
}

describe('the payment simulator', () => {
  let sandbox: TestPaymentSimulator
  beforeAll(async () => {
    sandbox = await startTestPaymentSimulator()
  })
  afterAll(() => sandbox.stop())
  const open = (key = SIMULATOR_PAYMENT_KEY) => createStripeProvider({ host: sandbox.url, key })
  common(open)

  test('a card payment succeeds, and is notified', async () => {
    const wanted = order()
    const { id, url } = await open().createCheckout(wanted)
    expect(await submitPaymentForm(url, VALID_CARD)).toMatchObject({ status: 303, location: wanted.successUrl })
    const told = await open().fetch(id)
    expect(told.map(({ fact }) => fact?.kind)).toEqual(['completed', 'paid'])
    expect(told[1]).toMatchObject({ reference: wanted.reference, fact: { amount: 1237 } })
    expect((await submitPaymentForm(url, VALID_CARD)).status).toBe(410)
  })

  test('a refused card leaves the page open for another', async () => {
    const { id, url } = await open().createCheckout(order())
    const refused = await submitPaymentForm(url, { ...VALID_CARD, card: '4000 0000 0000 0002' })
    expect([refused.status, refused.text.includes('refusée par sa banque')]).toEqual([200, true])
    expect((await submitPaymentForm(url, { ...VALID_CARD, card: '4242 4242 4242 4241' })).text).toContain(
      'n’est pas valable',
    )
    expect(await open().fetch(id)).toEqual([])
    expect((await submitPaymentForm(url, VALID_CARD)).status).toBe(303)
  })

  test('a payment that needs confirmation is paid only once confirmed', async () => {
    const { id, url } = await open().createCheckout(order())
    const card = { ...VALID_CARD, card: '4000 0025 0000 3155' }
    expect((await submitPaymentForm(url, card)).text).toContain('confirmer')
    expect((await submitPaymentForm(url, { ...card, confirm: 'no' })).text).toContain('n’a pas été confirmé')
    expect(await open().fetch(id)).toEqual([])
    expect((await submitPaymentForm(url, { ...card, confirm: 'yes' })).status).toBe(303)
  })

  test('a debit is pending until its day, then paid or refused', async () => {
    const [good, bad] = [
      await open().createCheckout(order({ method: 'debit' })),
      await open().createCheckout(order({ method: 'debit' })),
    ]
    await submitPaymentForm(good.url, { iban: 'FR14 2004 1010 0505 0001 3M02 606' })
    await submitPaymentForm(bad.url, { iban: 'FR84 2004 1010 0505 0001 3M02 607' })
    const kinds = async (id: string) => (await open().fetch(id)).map(({ fact }) => fact?.kind)
    expect(await kinds(good.id)).toEqual(['completed', 'processing'])
    await sandbox.control('PUT', 'clock', { now: new Date(Date.now() + 4 * 86_400_000).toISOString() })
    expect([await kinds(good.id), await kinds(bad.id)]).toEqual([
      ['completed', 'paid'],
      ['completed', 'failed'],
    ])
    await sandbox.control('PUT', 'clock', { now: null })
  })

  test('partial refunds never exceed the payment and are idempotent; a dispute can be won', async () => {
    const { id, url } = await open().createCheckout(order())
    await submitPaymentForm(url, VALID_CARD)
    const intent = (await open().fetch(id))[1]?.intent ?? ''
    await open().refund({ intent, amount: 437, key: 'k1' })
    await open().refund({ intent, amount: 437, key: 'k1' })
    expect(await catchFaultNature(open().refund({ intent, amount: 801, key: 'k2' }))).toBe('refused')
    const { id: disputed } = await sandbox.control('PUT', 'dispute', { intent })
    await sandbox.control('PUT', 'dispute-closed', { id: disputed, won: true })
    const told = (await open().fetch(id)).map(({ fact }) => [fact?.kind, fact?.amount])
    expect(told.slice(1)).toEqual([
      ['paid', 1237],
      ['refunded', 437],
      ['withdrawn', 1237],
      ['reinstated', 1237],
    ])
  })

  test('lists events since a moment page by page, including undelivered ones', async () => {
    const mine = createStripeProvider({ host: sandbox.url, key: 'sk_test_plusieurs' })
    const began = new Date()
    for (let at = 0; at < 3; at++) await submitPaymentForm((await mine.createCheckout(order())).url, VALID_CARD)
    const told = await mine.since(began)
    expect(told.map(({ fact }) => fact?.kind).sort()).toEqual([
      'completed',
      'completed',
      'completed',
      'paid',
      'paid',
      'paid',
    ])
    expect(new Set(told.map(({ id }) => id)).size).toBe(6)
  })

  test('an unreachable provider is reported as away', async () => {
    const nowhere = createStripeProvider({ host: 'http://127.0.0.1:9', key: SIMULATOR_PAYMENT_KEY })
    expect(await catchFaultNature(nowhere.check())).toBe('away')
  })
})

describe.skipIf(!STRIPE_CONTRACT_HOST || !STRIPE_CONTRACT_KEY)(
  'the real provider (STRIPE_CONTRACT_HOST, STRIPE_CONTRACT_KEY)',
  () => common((key = STRIPE_CONTRACT_KEY) => createStripeProvider({ host: STRIPE_CONTRACT_HOST, key })),
)
