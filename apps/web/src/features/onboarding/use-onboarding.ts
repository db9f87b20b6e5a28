import { useQuery, useQueryClient } from '@tanstack/react-query'
import { onboarding } from '@voisol/contract/onboarding'
import { useEffect, useRef } from 'react'
import { query } from '../../lib/queries.ts'
import { doneOf, isOver } from './words.ts'

const LOOK_MS = 2500

/** How far one has come. An example fills while it is looked at: each step of it brings the other figures of the page anew. */
export function useOnboarding() {
  const client = useQueryClient()
  const asked = useQuery({
    ...query(onboarding.get, {}),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.exampleOf && !isOver(data) ? LOOK_MS : false),
  })
  const { data } = asked
  const filling = Boolean(data?.exampleOf && !isOver(data))
  const done = data ? doneOf(data) : 0
  const before = useRef(done)
  useEffect(() => {
    const grown = before.current > 0 && done > before.current
    before.current = done
    if (grown) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== onboarding.get.path })
  }, [done, client])
  return { ...asked, filling }
}
