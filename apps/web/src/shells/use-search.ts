import { useQuery } from '@tanstack/react-query'
import { LEAST_SEARCHED, search } from '@voisol/contract/search'
import { useEffect, useState } from 'react'
import { query } from '../lib/queries.ts'

const WAIT_MS = 150
const FRESH_MS = 30_000

/** The words once the keyboard has been still for a moment. */
function useSettled(text: string) {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** What the server finds for these words; an answer to other words is none. */
export function useSearch(typed: string) {
  const text = typed.trim()
  const asked = useSettled(text)
  const wanted = text.length >= LEAST_SEARCHED
  const { data, error } = useQuery({
    ...query(search.find, { query: { q: asked } }),
    enabled: wanted && asked.length >= LEAST_SEARCHED,
    staleTime: FRESH_MS,
    retry: false,
  })
  const current = wanted && asked === text
  return {
    hits: current ? (data?.items ?? []) : [],
    error: current && !data ? error : null,
    isAsking: wanted && !(current && (data || error)),
  }
}
