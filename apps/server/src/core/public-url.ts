import type { Config } from '../config.ts'

type Place = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>

/** Where the product is read from outside. */
export function publicHome({ PUBLIC_URL, HOST, PORT }: Place): string {
  const everywhere = HOST === '0.0.0.0' || HOST === '::'
  return PUBLIC_URL ?? `http://${everywhere ? 'localhost' : HOST}:${PORT}`
}

/** The address of a path of the product as a reader outside can open it. */
export const publicUrl = (config: Place, path: string) => new URL(path, publicHome(config)).href
