import type { Tested } from '@voisol/contract/connections'
import type { Connector, Opened } from '../../../adapters/connections/connector.ts'
import { faultOf } from '../../../adapters/connections/faults.ts'
import type { Deps } from '../../../deps.ts'
import { toolsOf } from './settings.ts'

/** Goes there and says what it found; a fault is an answer like another. */
export async function test(deps: Deps, connector: Connector, opened: Opened, to: string): Promise<Tested> {
  try {
    return { ok: true, ...(await connector.test(toolsOf(deps), opened, to)) }
  } catch (error) {
    const fault = faultOf(error)
    deps.log.info({ err: fault, kind: connector.kind }, 'connection test failed')
    return { ok: false, message: fault.message, facts: [], hostKey: fault.offeredKey }
  }
}
