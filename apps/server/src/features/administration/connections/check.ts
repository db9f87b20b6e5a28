import type { ConnectionTest } from '@voisol/contract/connections'
import type { Connector, OpenedConnection } from '../../../adapters/connections/connector.ts'
import { toConnectionFault } from '../../../adapters/connections/faults.ts'
import type { Deps } from '../../../deps.ts'
import { toConnectorTools } from './settings.ts'

/** Connects to the remote system and reports the result; a failure is a normal result, not an exception. */
export async function testConnection(
  deps: Deps,
  connector: Connector,
  opened: OpenedConnection,
  to: string,
): Promise<ConnectionTest> {
  try {
    return { ok: true, ...(await connector.test(toConnectorTools(deps), opened, to)) }
  } catch (error) {
    const fault = toConnectionFault(error)
    deps.log.info({ err: fault, kind: connector.kind }, 'connection test failed')
    return { ok: false, message: fault.message, facts: [], hostKey: fault.offeredKey }
  }
}
