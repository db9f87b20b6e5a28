import { buildCallUrl } from '../../../adapters/enedis/address.ts'
import { createEnedisClient } from '../../../adapters/enedis/client.ts'
import { buildDistributorFault, EnedisError } from '../../../adapters/enedis/faults.ts'
import { type EnedisInterface, OTHER_TEMPLATES } from '../../../adapters/enedis/templates.ts'
import { type ClientCredentials, createEnedisToken } from '../../../adapters/enedis/token.ts'
import type { EnedisClient, ExchangeTrace } from '../../../adapters/enedis/types.ts'
import type { Deps } from '../../../deps.ts'
import { type CredentialRow, decryptClientKeys } from './credentials.ts'

type ConnectDeps = Pick<Deps, 'secrets' | 'enedis'>

const ignoreTrace = () => {}

export const findEnedisHost = (deps: ConnectDeps, environment: string): string | null =>
  environment === 'local' || environment === 'sandbox' || environment === 'production'
    ? deps.enedis.hosts[environment]
    : null

/** While the simulator is not running, every call fails like a network error and is retried later. */
function createOfflineClient(): EnedisClient {
  const fail = () =>
    Promise.reject(new EnedisError(buildDistributorFault('network', null, 'Le bac à sable local n’est pas démarré.')))
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

type ConnectOptions = {
  listen?: (trace: ExchangeTrace) => void
  /** Milliseconds before a call is aborted. */
  timeout?: number | undefined
  now?: () => number
  /** Waits for a rate limit slot before each further exchange of a call. */
  turn?: () => Promise<void>
}

/** Creates the API client of a credential. */
export function connectToEnedis(
  deps: ConnectDeps,
  credential: CredentialRow,
  options: ConnectOptions = {},
): EnedisClient {
  const host = findEnedisHost(deps, credential.environment)
  if (!host) return createOfflineClient()
  const keys = decryptClientKeys(deps.secrets, credential)
  const backend = credential.backend as EnedisInterface // checked by the contract before it was written
  const address = buildCallUrl(host, OTHER_TEMPLATES.token, {})
  const token = deps.enedis.tokens.of(credential.id, `${credential.version} ${host}`, () =>
    createEnedisToken(address, keys, { listen: ignoreTrace }),
  )
  return createEnedisClient({ host, backend, ...keys, token, ...options })
}

/** Requests a new token even when a valid one is cached: used to test the credential. */
export async function signInToEnedis(
  deps: ConnectDeps,
  environment: string,
  keys: ClientCredentials,
  { listen = ignoreTrace, timeout }: { listen?: (trace: ExchangeTrace) => void; timeout?: number } = {},
): Promise<void> {
  const host = findEnedisHost(deps, environment)
  if (!host) throw new EnedisError(buildDistributorFault('network', null, 'Le bac à sable local n’est pas démarré.'))
  await createEnedisToken(buildCallUrl(host, OTHER_TEMPLATES.token, {}), keys, { listen, timeout }).get()
}
