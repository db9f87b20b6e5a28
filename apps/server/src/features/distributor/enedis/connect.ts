import { addressOf } from '../../../adapters/enedis/address.ts'
import { openEnedis } from '../../../adapters/enedis/client.ts'
import { EnedisError, faultOf } from '../../../adapters/enedis/faults.ts'
import { type Backend, OTHERS } from '../../../adapters/enedis/templates.ts'
import { createToken, type Keys } from '../../../adapters/enedis/token.ts'
import type { Enedis, Trace } from '../../../adapters/enedis/types.ts'
import type { Deps } from '../../../deps.ts'
import { type CredentialRow, openKeys } from './credentials.ts'

type Opened = Pick<Deps, 'secrets' | 'enedis'>

const silent = () => {}

export const hostOf = (deps: Opened, environment: string): string | null =>
  environment === 'local' || environment === 'sandbox' || environment === 'production'
    ? deps.enedis.hosts[environment]
    : null

/** The stand-in is not there, or not yet: every call fails as if the network did, and is repeated later. */
function away(): Enedis {
  const fail = () =>
    Promise.reject(new EnedisError(faultOf('network', null, 'Le bac à sable local n’est pas démarré.')))
  return {
    perimeter: fail,
    loadCurve: fail,
    dailyEnergy: fail,
    agreements: fail,
    agreement: fail,
    series: fail,
    definitiveEnergy: fail,
    services: fail,
    uploadKeys: fail,
  }
}

type Options = {
  listen?: (trace: Trace) => void
  /** Milliseconds before a call is given up. */
  timeout?: number | undefined
  now?: () => number
  /** Waits for the turn of what is exchanged beyond the call itself. */
  turn?: () => Promise<void>
}

/** The distributor as a credential reaches it. */
export function connect(deps: Opened, credential: CredentialRow, options: Options = {}): Enedis {
  const host = hostOf(deps, credential.environment)
  if (!host) return away()
  const keys = openKeys(deps.secrets, credential)
  const backend = credential.backend as Backend // checked by the contract before it was written
  const address = addressOf(host, OTHERS.token, {})
  const token = deps.enedis.tokens.of(credential.id, `${credential.version} ${host}`, () =>
    createToken(address, keys, { listen: silent }),
  )
  return openEnedis({ host, backend, ...keys, token, ...options })
}

/** Signs in anew, with no regard to a token that is still good: what a test of the connection does. */
export async function signIn(
  deps: Opened,
  environment: string,
  keys: Keys,
  { listen = silent, timeout }: { listen?: (trace: Trace) => void; timeout?: number } = {},
): Promise<void> {
  const host = hostOf(deps, environment)
  if (!host) throw new EnedisError(faultOf('network', null, 'Le bac à sable local n’est pas démarré.'))
  await createToken(addressOf(host, OTHERS.token, {}), keys, { listen, timeout }).get()
}
