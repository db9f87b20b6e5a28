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
const first = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1]

/** « Firefox sur Windows »: enough for a person to recognise their own device. */
export function deviceName(userAgent: string): string {
  const browser = first(BROWSERS, userAgent) ?? 'Appareil inconnu'
  const system = first(SYSTEMS, userAgent)
  return system ? `${browser} sur ${system}` : browser
}

export const userAgentOf = (request: FastifyRequest) => (request.headers['user-agent'] ?? '').slice(0, 300)
