import type { FastifyRequest } from 'fastify'

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
