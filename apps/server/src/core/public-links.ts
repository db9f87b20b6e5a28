import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { AppError } from '../http/errors.ts'
import type { Secrets } from '../secrets.ts'

type PublicUrlConfig = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** The public address of the product. */
export function getPublicBaseUrl({ PUBLIC_URL, HOST, PORT }: PublicUrlConfig): string {
  const everywhere = HOST === '0.0.0.0' || HOST === '::'
  return PUBLIC_URL ?? `http://${everywhere ? 'localhost' : HOST}:${PORT}`
}

/** The absolute URL of a path of the product. */
export const buildPublicUrl = (config: PublicUrlConfig, path: string) => new URL(path, getPublicBaseUrl(config)).href

const signLinkRequest = (secrets: Secrets, use: string, id: string) => secrets.sign(`link|${use}|${id}`)

/** The key of a mailed link: the id of its request, signed for one use. The same request always has the same key. */
export const createLinkKey = (secrets: Secrets, use: string, id: string) =>
  `${id}.${signLinkRequest(secrets, use, id).toString('base64url')}`

/** The request id of a key; a key that we did not sign is refused. */
export function requireLinkRequestId(secrets: Secrets, use: string, key: string): string {
  const [, id, proof] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(key) ?? []
  if (!id || !proof) throw new AppError('link-expired')
  const given = Buffer.from(proof, 'base64url')
  const expected = signLinkRequest(secrets, use, id)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new AppError('link-expired')
  return id
}
