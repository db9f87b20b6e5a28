import type { OnlineMethod, TestPayment } from '@voisol/contract/online-views'
import { createStripeProvider } from '../../../adapters/payments/stripe.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { withProviderErrors } from './providers.ts'
import { computePaymentStatus } from './standing.ts'

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
