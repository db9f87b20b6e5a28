import { useQuery } from '@tanstack/react-query'
import { payments } from '@voisol/contract/payments'
import { useCan } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'

/** The accounts that money may leave, by who owns them. */
export function usePayingAccounts() {
  const enabled = useCan()(payments.choices)
  return useQuery({ ...query(payments.choices, {}), enabled }).data?.accounts ?? []
}
