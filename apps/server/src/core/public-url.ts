import type { Config } from '../config.ts'

type PublicUrlConfig = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** The public address of the product. */
export function getPublicBaseUrl({ PUBLIC_URL, HOST, PORT }: PublicUrlConfig): string {
  const everywhere = HOST === '0.0.0.0' || HOST === '::'
  return PUBLIC_URL ?? `http://${everywhere ? 'localhost' : HOST}:${PORT}`
}

/** The absolute URL of a path of the product. */
export const buildPublicUrl = (config: PublicUrlConfig, path: string) => new URL(path, getPublicBaseUrl(config)).href
