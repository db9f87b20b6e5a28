import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { RouteContext } from '../../../http/route.ts'
import { type Secrets, sha256 } from '../../../secrets.ts'
import type { UserAccount } from './accounts.ts'

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl|node|python|undici/i, 'Programme'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]
const findFirstMatch = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1]

/** « Firefox sur Windows »: enough for people to recognise their own device. */
export function describeDevice(userAgent: string): string {
  const browser = findFirstMatch(BROWSERS, userAgent) ?? 'Appareil inconnu'
  const system = findFirstMatch(SYSTEMS, userAgent)
  return system ? `${browser} sur ${system}` : browser
}

export const getUserAgent = (request: FastifyRequest) => (request.headers['user-agent'] ?? '').slice(0, 300)

const KNOWN_DEVICE_DAYS = 365
const DEVICE_COOKIE_PATTERN = /^([0-9a-f-]{36})\.(\d{10})\.([\w-]{43})$/

/** One cookie per account, since several people may share a browser. */
const getDeviceCookieName = (userId: string) => `voisol_device_${sha256(userId).toString('hex').slice(0, 16)}`

/** The stamp includes the password hash, so that it becomes invalid when the password changes. */
const computeDeviceStamp = (secrets: Secrets, { id, passwordHash }: UserAccount, device: string, at: string) =>
  secrets.stamp('device', [id, device, at, passwordHash].join('|'))

/** The known device of this account, proved by its cookie. */
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

/** Marks the device as known after a successful sign-in; a known device keeps its id. */
export function rememberDevice({ secrets, request, leave }: RouteContext<undefined>, user: UserAccount) {
  const device = findKnownDevice(secrets, request, user) ?? randomUUID()
  const at = String(Math.floor(Date.now() / 1000))
  const value = [device, at, computeDeviceStamp(secrets, user, device, at)].join('.')
  leave({ name: getDeviceCookieName(user.id), value, path: '/api/auth', maxAge: KNOWN_DEVICE_DAYS * 86_400 })
}
