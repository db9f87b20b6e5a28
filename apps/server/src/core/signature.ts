import type { Proof } from '@voisol/contract/signatures'
import { type Actor, formatActorName } from '../http/actor.ts'
import { AppError } from '../http/errors.ts'
import type { RouteContext } from '../http/route.ts'
import { sha256 } from '../secrets.ts'

/** A text to sign, and its hash. */
export type SignableText = { text: string; hash: string }
export const toSignableText = (text: string): SignableText => ({ text, hash: sha256(text).toString('hex') })

/** From where a person signs. */
export type SignatureOrigin = { ip: string; userAgent: string }
export const getSignatureOrigin = ({ request }: Pick<RouteContext<unknown>, 'request'>): SignatureOrigin => ({
  ip: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
})

/** For a signature in the office, the proof names the staff member present. */
export const getWitness = (actor: Actor) => (actor.space === 'office' ? { witness: formatActorName(actor) } : {})

type SignatureInput = { name: string; hash: string }

/** A signature on screen: the text shown is stored, with the typed name, the time and the origin. */
export function buildSignatureProof(
  shown: SignableText,
  { name, hash }: SignatureInput,
  { what, ...from }: SignatureOrigin & { what: string; witness?: string },
): Proof {
  if (shown.hash !== hash)
    throw new AppError('stale', { message: `${what} a changé entre-temps. Relisez-le, puis signez de nouveau.` })
  return { at: new Date().toISOString(), name, ...from, ...shown }
}
