/** auth: the key is not accepted; refused: it will not be done; away: nobody can say, ask again. */
export type PaymentNature = 'auth' | 'refused' | 'away'

export class PaymentError extends Error {
  readonly nature: PaymentNature
  /** What the provider said, for the log alone. */
  readonly said: string
  constructor(nature: PaymentNature, message: string, said = '') {
    super(message)
    this.nature = nature
    this.said = said
  }
}

/** A message that its signature does not prove. */
export class ForgedNotice extends Error {}

const PROVIDER_UNAVAILABLE =
  'Le prestataire de paiement ne répond pas. Rien n’a été débité\u00a0: réessayez dans un instant.'
const KEY_REFUSED =
  'Le prestataire de paiement refuse la clé enregistrée. Remplacez-la dans les réglages du paiement en ligne.'

type ThrownDetails = { type?: unknown; statusCode?: unknown; message?: unknown }

/** Whatever the library throws, as one of three natures with a French sentence. */
export function toPaymentError(error: unknown): PaymentError {
  if (error instanceof PaymentError) return error
  const { type, statusCode, message } = (error ?? {}) as ThrownDetails // what was thrown may be anything
  const said = typeof message === 'string' ? message : String(error)
  if (statusCode === 401 || statusCode === 403) return new PaymentError('auth', KEY_REFUSED, said)
  const refused = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 && statusCode !== 429
  if (refused && type !== 'StripeRateLimitError')
    return new PaymentError('refused', `Le prestataire de paiement refuse cette demande\u00a0: ${said}`, said)
  return new PaymentError('away', PROVIDER_UNAVAILABLE, said)
}
