import { bookings } from '@voisol/contract/bookings'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../../lib/call.ts'

type Slots = EndpointReply<typeof bookings.slots>['days']

/** The free hours, read each time the dialog opens: others book too. */
export function useSlots(open: boolean) {
  const [days, setDays] = useState<Slots | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const read = useCallback(async () => {
    try {
      setDays((await call(bookings.slots, {})).days)
      setError(null)
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error(String(reason)))
    }
  }, [])
  useEffect(() => {
    if (open) void read()
  }, [open, read])
  return { days, error, read }
}
