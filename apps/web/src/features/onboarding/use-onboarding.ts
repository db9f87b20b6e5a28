import { useQuery, useQueryClient } from '@tanstack/react-query'
import { onboarding } from '@voisol/contract/onboarding'
import { useEffect, useRef } from 'react'
import { query } from '../../lib/queries.ts'
import { countDoneSteps, isOnboardingComplete } from './words.ts'

const POLL_MS = 2500

/** How far one has come. An example fills while it is looked at: each step of it brings the other figures of the page anew. */
export function useOnboarding() {
  const client = useQueryClient()
  const result = useQuery({
    ...query(onboarding.get, {}),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.exampleOf && !isOnboardingComplete(data) ? POLL_MS : false),
  })
  const { data } = result
  const filling = Boolean(data?.exampleOf && !isOnboardingComplete(data))
  const done = data ? countDoneSteps(data) : 0
  const previousDone = useRef(done)
  useEffect(() => {
    const hasProgressed = previousDone.current > 0 && done > previousDone.current
    previousDone.current = done
    if (hasProgressed)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== onboarding.get.path })
  }, [done, client])
  return { ...result, filling }
}
