import { audit } from '@voisol/contract/audit'
import { energy } from '@voisol/contract/energy'
import { keys } from '@voisol/contract/keys'
import { operations } from '@voisol/contract/operations'

/** What a change of an operation may alter elsewhere. */
export const OPERATION_DEPENDENT_QUERIES = [
  operations.list,
  operations.get,
  operations.overview,
  keys.list,
  audit.list,
  energy.attention,
  energy.operations,
]
