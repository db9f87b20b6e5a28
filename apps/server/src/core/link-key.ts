import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../http/errors.ts'
import type { Secrets } from '../secrets.ts'

const signed = (secrets: Secrets, use: string, id: string) => secrets.sign(`link|${use}|${id}`)

/** What a mailed link is proved with: the request it belongs to, signed for one use. The same request has the same key. */
export const keyOf = (secrets: Secrets, use: string, id: string) =>
  `${id}.${signed(secrets, use, id).toString('base64url')}`

/** The request behind a key, or the refusal of a link that was not ours. */
export function requestOf(secrets: Secrets, use: string, key: string): string {
  const [, id, proof] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(key) ?? []
  if (!id || !proof) throw new AppError('link-expired')
  const given = Buffer.from(proof, 'base64url')
  const right = signed(secrets, use, id)
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw new AppError('link-expired')
  return id
}
