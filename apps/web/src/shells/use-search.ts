import { useQuery } from '@tanstack/react-query'
import { MIN_SEARCH_LENGTH, search } from '@voisol/contract/search'
import { useEffect, useState } from 'react'
import { query } from '../lib/queries.ts'

const DEBOUNCE_MS = 150
const STALE_MS = 30_000

/** The words once the keyboard has been still for a moment. */
function useDebouncedText(text: string) {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** What the server finds for these words; an answer to other words is none. */
export function useSearch(typed: string) {
  const text = typed.trim()
  const debouncedText = useDebouncedText(text)
  const isSearchable = text.length >= MIN_SEARCH_LENGTH
  const { data, error } = useQuery({
    ...query(search.find, { query: { q: debouncedText } }),
    enabled: isSearchable && debouncedText.length >= MIN_SEARCH_LENGTH,
    staleTime: STALE_MS,
    retry: false,
  })
  const current = isSearchable && debouncedText === text
  return {
    hits: current ? (data?.items ?? []) : [],
    error: current && !data ? error : null,
    isAsking: isSearchable && !(current && (data || error)),
  }
}
