import type { Config } from '../config.ts'

type PublicUrlConfig = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** Where the product is read from outside. */
export function getPublicBaseUrl({ PUBLIC_URL, HOST, PORT }: PublicUrlConfig): string {
  const everywhere = HOST === '0.0.0.0' || HOST === '::'
  return PUBLIC_URL ?? `http://${everywhere ? 'localhost' : HOST}:${PORT}`
}

/** The address of a path of the product as a reader outside can open it. */
export const buildPublicUrl = (config: PublicUrlConfig, path: string) => new URL(path, getPublicBaseUrl(config)).href
