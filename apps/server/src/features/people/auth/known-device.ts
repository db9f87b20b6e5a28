import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { RouteContext } from '../../../http/route.ts'
import { type Secrets, sha256 } from '../../../secrets.ts'
import type { UserAccount } from './accounts.ts'

const KNOWN_DEVICE_DAYS = 365
const DEVICE_COOKIE_PATTERN = /^([0-9a-f-]{36})\.(\d{10})\.([\w-]{43})$/

/** One per account: several people may share a browser. */
const getDeviceCookieName = (userId: string) => `voisol_device_${sha256(userId).toString('hex').slice(0, 16)}`

/** The password is in it: what was given before it changed is worth nothing after. */
const computeDeviceStamp = (secrets: Secrets, { id, passwordHash }: UserAccount, device: string, at: string) =>
  secrets.stamp('device', [id, device, at, passwordHash].join('|'))

/** The device that this account has signed in from before, as far as its cookie proves it. */
export function findKnownDevice(
  secrets: Secrets,
  request: FastifyRequest,
  user: UserAccount | undefined,
): string | undefined {
  if (!user) return undefined
  const [, device, at, stamp] = DEVICE_COOKIE_PATTERN.exec(request.cookies[getDeviceCookieName(user.id)] ?? '') ?? []
  if (!device || !at || !stamp || Number(at) < Date.now() / 1000 - KNOWN_DEVICE_DAYS * 86_400) return undefined
  const right = timingSafeEqual(Buffer.from(stamp), Buffer.from(computeDeviceStamp(secrets, user, device, at)))
  return right ? device : undefined
}

/** Whoever has just proved who they are is known here from now on; a device keeps its name. */
export function rememberDevice({ secrets, request, leave }: RouteContext<undefined>, user: UserAccount) {
  const device = findKnownDevice(secrets, request, user) ?? randomUUID()
  const at = String(Math.floor(Date.now() / 1000))
  const value = [device, at, computeDeviceStamp(secrets, user, device, at)].join('.')
  leave({ name: getDeviceCookieName(user.id), value, path: '/api/auth', maxAge: KNOWN_DEVICE_DAYS * 86_400 })
}
