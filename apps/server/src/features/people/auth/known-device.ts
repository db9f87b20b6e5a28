import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../http/route.ts'
import { type Secrets, sha256 } from '../../../secrets.ts'
import type { Account } from './accounts.ts'

const DAYS = 365
const SHAPE = /^([0-9a-f-]{36})\.(\d{10})\.([\w-]{43})$/

/** One per account: several people may share a browser. */
const nameOf = (userId: string) => `voisol_device_${sha256(userId).toString('hex').slice(0, 16)}`

/** The password is in it: what was given before it changed is worth nothing after. */
const stampOf = (secrets: Secrets, { id, passwordHash }: Account, device: string, at: string) =>
  secrets.stamp('device', [id, device, at, passwordHash].join('|'))

/** The device that this account has signed in from before, as far as its cookie proves it. */
export function knownDevice(secrets: Secrets, request: FastifyRequest, user: Account | undefined): string | undefined {
  if (!user) return undefined
  const [, device, at, stamp] = SHAPE.exec(request.cookies[nameOf(user.id)] ?? '') ?? []
  if (!device || !at || !stamp || Number(at) < Date.now() / 1000 - DAYS * 86_400) return undefined
  const right = timingSafeEqual(Buffer.from(stamp), Buffer.from(stampOf(secrets, user, device, at)))
  return right ? device : undefined
}

/** Whoever has just proved who they are is known here from now on; a device keeps its name. */
export function rememberDevice({ secrets, request, leave }: Context<undefined>, user: Account) {
  const device = knownDevice(secrets, request, user) ?? randomUUID()
  const at = String(Math.floor(Date.now() / 1000))
  const value = [device, at, stampOf(secrets, user, device, at)].join('.')
  leave({ name: nameOf(user.id), value, path: '/api/auth', maxAge: DAYS * 86_400 })
}
