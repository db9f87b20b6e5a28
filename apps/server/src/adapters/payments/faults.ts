/** auth: the key is not accepted; refused: permanently; away: unknown, try again. */
export type PaymentNature = 'auth' | 'refused' | 'away'

export class PaymentError extends Error {
  readonly nature: PaymentNature
  /** The provider's own message, only for the log. */
  readonly said: string
  constructor(nature: PaymentNature, message: string, said = '') {
    super(message)
    this.nature = nature
    this.said = said
  }
}

/** A message with an invalid signature. */
export class ForgedNotice extends Error {}

const PROVIDER_UNAVAILABLE =
  'Le prestataire de paiement ne répond pas. Rien n’a été débité\u00a0: réessayez dans un instant.'
const KEY_REFUSED =
  'Le prestataire de paiement refuse la clé enregistrée. Remplacez-la dans les réglages du paiement en ligne.'

type ThrownDetails = { type?: unknown; statusCode?: unknown; message?: unknown }

/** Any error of the library, as one of the three kinds with a French sentence. */
export function toPaymentError(error: unknown): PaymentError {
  if (error instanceof PaymentError) return error
  const { type, statusCode, message } = (error ?? {}) as ThrownDetails // anything may be thrown
  const said = typeof message === 'string' ? message : String(error)
  if (statusCode === 401 || statusCode === 403) return new PaymentError('auth', KEY_REFUSED, said)
  const refused = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 && statusCode !== 429
  if (refused && type !== 'StripeRateLimitError')
    return new PaymentError('refused', `Le prestataire de paiement refuse cette demande\u00a0: ${said}`, said)
  return new PaymentError('away', PROVIDER_UNAVAILABLE, said)
}
