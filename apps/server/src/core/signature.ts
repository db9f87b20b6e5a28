import type { Proof } from '@voisol/contract/signatures'
import { type Actor, nameOfActor } from '../http/actor.ts'
import { AppError } from '../http/errors.ts'
import type { Context } from '../http/route.ts'
import { sha256 } from '../secrets.ts'

/** What is shown to be signed, and what it is known by. */
export type Shown = { text: string; hash: string }
export const shownText = (text: string): Shown => ({ text, hash: sha256(text).toString('hex') })

/** From where somebody signs. */
export type Origin = { ip: string; userAgent: string }
export const originOf = ({ request }: Pick<Context<unknown>, 'request'>): Origin => ({
  ip: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
})

/** Whoever sits beside in the office is named with the proof. */
export const witnessOf = (actor: Actor) => (actor.space === 'office' ? { witness: nameOfActor(actor) } : {})

type Signed = { name: string; hash: string }

/** Signed on screen: what was shown is what is kept, with who typed which name, when and from where. */
export function proofOf(
  shown: Shown,
  { name, hash }: Signed,
  { what, ...from }: Origin & { what: string; witness?: string },
): Proof {
  if (shown.hash !== hash)
    throw new AppError('stale', { message: `${what} a changé entre-temps. Relisez-le, puis signez de nouveau.` })
  return { at: new Date().toISOString(), name, ...from, ...shown }
}
