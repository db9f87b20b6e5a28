import type { OnlineMethod, Trial } from '@voisol/contract/online-views'
import { openStripe } from '../../../adapters/payments/stripe.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { asked } from './providers.ts'
import { standingOf } from './standing.ts'

/** Of nobody: no invoice and no account stands behind it. */
const KEY = 'sk_test_essaispublics'
const AMOUNT = 4217

/** On the stand-in alone, which no production has. */
function sandbox({ payments, config }: Pick<Deps, 'payments' | 'config'>) {
  const host = payments.hosts.local
  if (config.production || !host) throw new AppError('not-found')
  return openStripe({ host, key: KEY })
}

export async function tryPay(
  deps: Pick<Deps, 'payments' | 'config'>,
  method: OnlineMethod,
  origin: string,
): Promise<Trial> {
  const back = `${origin}/test-payments`
  const order = { reference: crypto.randomUUID(), amount: AMOUNT, method, label: 'Paiement d’essai', email: '' }
  const made = await asked(sandbox(deps).createCheckout({ ...order, successUrl: `${back}?essai=ok`, cancelUrl: back }))
  return { id: made.id, url: made.url, state: 'open', amount: AMOUNT }
}

export async function trialOf(deps: Pick<Deps, 'payments' | 'config'>, id: string): Promise<Trial> {
  const told = await asked(sandbox(deps).fetch(id))
  const { state } = standingOf(told.flatMap(({ fact }) => (fact ? [fact] : [])))
  return { id, url: null, state, amount: AMOUNT }
}
